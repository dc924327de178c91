package web

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
)

// sheet serves a table as CSV, at its page's path plus .csv, and as JSON at the
// same path under /api/v1.
func (s *Site) sheet(path string, make func(c echo.Context) (leaderboard.Sheet, error)) {
	s.echo.GET(path+".csv", func(c echo.Context) error {
		sheet, err := make(c)
		if err != nil {
			return err
		}
		return sendCSV(c, sheet)
	})
	s.echo.GET("/api/v1"+path, func(c echo.Context) error {
		sheet, err := make(c)
		if err != nil {
			return err
		}
		return sendJSON(c, sheet)
	})
}

// sendCSV streams a sheet.
func sendCSV(c echo.Context, sheet leaderboard.Sheet) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	h.Set(echo.HeaderCacheControl, "no-cache")
	name := strings.Trim(strings.ReplaceAll(strings.TrimSuffix(c.Request().URL.Path, ".csv"), "/", "-"), "-")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+fileName(name)+`.csv"`)
	c.Response().WriteHeader(http.StatusOK)
	w := csv.NewWriter(c.Response())
	if err := w.Write(sheet.Header); err != nil {
		return err
	}
	line := make([]string, len(sheet.Header))
	for row := range sheet.Rows {
		for i, cell := range row {
			line[i] = neutral(cell)
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// neutral keeps a spreadsheet from taking a cell for a formula. Numbers stay.
func neutral(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil && strings.Trim(cell[1:], "0123456789.e-") == "" {
		return cell
	}
	return "'" + cell
}

// fileName keeps what every system takes in the name of a file.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, s)
}

// sendJSON streams a sheet as a list of objects, every value a string as in the
// CSV.
func sendJSON(c echo.Context, sheet leaderboard.Sheet) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	h.Set(echo.HeaderCacheControl, "no-cache")
	c.Response().WriteHeader(http.StatusOK)
	w := c.Response()
	if _, err := w.Write([]byte(`{"rows":[`)); err != nil {
		return err
	}
	separator := ""
	for row := range sheet.Rows {
		object := make(map[string]string, len(row))
		for i, name := range sheet.Header {
			object[name] = row[i]
		}
		data, err := json.Marshal(object)
		if err != nil {
			return err
		}
		if _, err := w.Write(append([]byte(separator+"\n"), data...)); err != nil {
			return err
		}
		separator = ","
	}
	_, err := w.Write([]byte("\n]}\n"))
	return err
}
