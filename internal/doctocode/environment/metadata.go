package environment

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"touchstone/internal/doctocode"
)

var (
	unsafeInFolder  = regexp.MustCompile(`[^A-Za-z0-9.]+`)
	entryPointValue = regexp.MustCompile(`^([A-Za-z_][\w.]*)(?:\s*:\s*([A-Za-z_][\w.]*))?(?:\s*\[[^\]]*\])?$`)
	scriptName      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
)

// WriteMetadata writes, into the folder dir, what the sandbox shows at /meta: a
// <name>-<version>.dist-info, so that importlib.metadata knows the repository's
// distribution, and bin/ with its console scripts. Without a name it writes an
// empty folder.
func WriteMetadata(dir string, m doctocode.Metadata) error {
	if err := os.MkdirAll(dir, 0o755); err != nil || m.Name == "" {
		return err
	}
	name := func(s string) string { return unsafeInFolder.ReplaceAllString(s, "_") }
	version := m.Version
	if version == "" {
		version = "0"
	}
	info := filepath.Join(dir, name(m.Name)+"-"+unsafeVersion(version)+".dist-info")
	if err := os.MkdirAll(info, 0o755); err != nil {
		return err
	}
	files := map[string]string{
		"METADATA":  fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", oneLine(m.Name), oneLine(version)),
		"RECORD":    "",
		"INSTALLER": "touchstone\n",
	}
	if text := entryPointsText(m.EntryPoints); text != "" {
		files["entry_points.txt"] = text
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(info, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return writeScripts(filepath.Join(dir, "bin"), m.EntryPoints["console_scripts"])
}

// unsafeVersion keeps what a version may hold in the name of a folder.
func unsafeVersion(v string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".+!_", r) {
			return r
		}
		return '_'
	}, v)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// entryPointsText is entry_points.txt, groups and names sorted; what is not a
// module:attribute is left out.
func entryPointsText(points map[string]map[string]string) string {
	var b strings.Builder
	for _, group := range sortedKeys(points) {
		if strings.ContainsAny(group, "[]\r\n") {
			continue
		}
		fmt.Fprintf(&b, "[%s]\n", group)
		for _, name := range sortedKeys(points[group]) {
			if value := points[group][name]; entryPointValue.MatchString(value) && !strings.ContainsAny(name, "=\r\n") {
				fmt.Fprintf(&b, "%s = %s\n", name, value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// writeScripts writes what an installer would make of console_scripts.
func writeScripts(dir string, scripts map[string]string) error {
	for _, name := range sortedKeys(scripts) {
		m := entryPointValue.FindStringSubmatch(scripts[name])
		if m == nil || m[2] == "" || !scriptName.MatchString(name) {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		first, _, _ := strings.Cut(m[2], ".")
		text := fmt.Sprintf("#!/env/bin/python\nimport sys\nfrom %s import %s\nif __name__ == \"__main__\":\n    sys.exit(%s())\n", m[1], first, m[2])
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
