// Package web answers requests: pages, the same as CSV and JSON, uploads and
// live events. There is a file for each page; each handler says, in this order,
// who asks, what they ask for, and what is drawn.
package web

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/static"
)

// Config is what the site shows and works with.
type Config struct {
	Store    *store.Store
	Engine   *evaluation.Engine
	Boards   *leaderboard.Boards
	Accounts *account.Accounts
	Local    *store.Account // who acts without a token from this machine; nil: nobody does
	Proxies  bool           // a reverse proxy stands in front: its X-Forwarded-For is believed
	Upload   int64          // bytes of an upload; 64 MiB when 0
	Version  string
	Log      *slog.Logger
}

// A Site answers requests.
type Site struct {
	Config
	echo     *echo.Echo
	rendered *rendered
	metrics  *metrics
	stopping chan struct{} // closed when live connections have to end
	pictures pictures
	rhythm   rhythm
}

// New makes the site.
func New(c Config) *Site {
	if c.Upload == 0 {
		c.Upload = 64 << 20
	}
	s := &Site{Config: c, echo: echo.New(), rendered: newRendered(c.Boards), stopping: make(chan struct{}), rhythm: calm}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.fail
	s.echo.IPExtractor = echo.ExtractIPDirect()
	if c.Proxies {
		s.echo.IPExtractor = echo.ExtractIPFromXFFHeader()
	}
	s.metrics = s.newMetrics()
	s.guard()
	s.routes()
	return s
}

// Handler is the whole site.
func (s *Site) Handler() http.Handler { return s.echo }

// Server is an HTTP server for the site, with limits on what a client may take.
func (s *Site) Server(address string) *http.Server {
	return &http.Server{
		Addr: address, Handler: s.echo, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
}

// Stop ends live connections, so that a server can shut down.
func (s *Site) Stop() { close(s.stopping) }

// routes is every address of the site.
func (s *Site) routes() {
	e := s.echo
	e.GET("/healthz", s.healthy)
	e.GET("/readyz", s.ready)
	e.GET("/metrics", s.metricsPage)
	e.GET(static.Prefix+"*", echo.WrapHandler(static.Handler()))
	e.GET("/favicon.ico", func(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, static.Path("icon.svg")) })

	e.GET("/", s.home)
	s.sheet("/doc-to-code", s.docToCodeSheet)
	e.GET("/doc-to-code", s.cached(s.docToCode))
	s.sheet("/doc-to-code/repos", s.repositoriesSheet)
	e.GET("/doc-to-code/repos", s.cached(s.repositories))
	e.GET("/doc-to-code/repos/:owner/:name", s.repositoryFile(s.cached(s.repository)))
	e.GET("/api/v1/doc-to-code/repos/:owner/:name", s.repositoryJSON)
	s.sheet(distributionPath, s.distributionSheet)
	s.sheet(distributionPath+"/stability", s.keptSheet)
	s.sheet(distributionPath+"/popularity", s.popularitySheet)
	e.GET(distributionPath+".svg", s.distributionFile)
	e.GET(distributionPath, s.cached(s.distributionPage))
	s.sheet(correlationsPath, s.correlationsSheet)
	e.GET(correlationsPath, s.cached(s.correlationsPage))
	s.sheet(pairPath, s.pairSheet)
	e.GET(pairPath+".svg", s.pairFile)
	e.GET(pairPath, s.cached(s.pairPage))
	s.sheet("/compare", s.compareSheet)
	e.GET("/compare", s.compare)
	e.GET("/systems/:slug", s.systemFile(s.system))
	e.GET("/api/v1/systems/:slug", s.systemJSON)
	s.sheet("/localization", s.localizationSheet)
	e.GET("/localization", s.cached(s.localization))
	s.sheet("/localization/published", s.printedSheet)
	s.sheet(levelsPath, s.levelsSheet)
	e.GET(levelsPath+".svg", s.levelsFile)
	e.GET(levelsPath, s.cached(s.levels))
	s.sheet(extremesPath, s.extremesSheet)
	e.GET(extremesPath+".svg", s.extremesFile)
	e.GET(extremesPath, s.cached(s.extremesPage))
	s.sheet(contrastsPath, s.contrastsSheet)
	e.GET(contrastsPath+".svg", s.contrastsFile)
	e.GET(contrastsPath, s.cached(s.contrastsPage))
	e.GET("/localization/repos/:owner/:name", s.historyFile(s.cached(s.historyPage)))
	e.GET("/api/v1/localization/repos/:owner/:name", s.historyJSON)
	e.GET("/localization/tasks/:instance", s.historyTaskFile(s.cached(s.historyTaskPage)))
	e.GET("/api/v1/localization/tasks/:instance", s.historyTaskJSON)
	s.sheet("/releases", s.releasesSheet)
	s.sheet("/releases/histories", s.historiesSheet)
	s.sheet("/releases/dropped", s.droppedSheet)
	s.sheet("/releases/tasks", s.tasksSheet)
	e.GET("/releases", s.cached(s.releases))
	e.GET("/methodology", s.cached(s.methodology))
	e.GET("/api", s.api)

	e.GET("/submit", s.submitTracks)
	e.GET(submitPath, s.submitForm(benchmark.DocToCode))
	e.POST(submitPath, s.submitUpload(benchmark.DocToCode))
	e.GET(predictPath, s.submitForm(benchmark.Localization))
	e.POST(predictPath, s.submitUpload(benchmark.Localization))
	e.GET(predictPath+"/tasks.jsonl", s.promptList)
	e.GET(submitPath+"/tasks.jsonl", s.taskList)
	e.GET(submitPath+"/samples/:name", s.sample)
	s.sheet("/submissions", s.submissionsSheet)
	e.GET("/submissions", s.submissions)
	e.GET("/submissions/events", s.submissionsEvents)
	e.GET("/submissions/:id", s.submissionPage)
	e.GET("/submissions/:id/events", s.submissionEvents)
	e.GET("/submissions/:id/file", s.uploadedFile)
	s.sheet("/submissions/:id/scores", s.armScoresSheet)
	s.sheet("/submissions/:id/predictions", s.predictionsSheet)
	e.GET("/submissions/:id/preflight", s.preflight)
	e.POST("/submissions/:id/confirm", s.confirm)
	e.POST("/submissions/:id/discard", s.discard)
	e.POST("/submissions/:id/cancel", s.cancel)
	e.POST("/submissions/:id/retry", s.retry)
	s.sheet("/submissions/:id/tasks", s.submissionTasksSheet)
	e.GET("/submissions/:id/tasks", s.submissionTasks)
	e.GET("/submissions/:id/tasks/*", s.evidence)
	s.sheet("/submissions/:id/measures", s.submissionMeasuresSheet)
	e.GET("/submissions/:id/measures", s.submissionMeasuresPage)
	e.POST("/api/v1/submissions", s.submitAPI)
	e.GET("/api/v1/submissions/:id", s.submissionAPI)
	e.POST("/api/v1/submissions/:id/confirm", s.confirmAPI)
	e.POST("/api/v1/submissions/:id/cancel", s.cancelAPI)
	e.POST("/api/v1/submissions/:id/retry", s.retryAPI)
}
