package environment

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"touchstone/internal/doctocode"
)

func TestWriteMetadata(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "meta")
	m := doctocode.Metadata{Name: "Acme-Tool", Version: "1.2+local", EntryPoints: map[string]map[string]string{
		"console_scripts": {"acme": "acme.cli:App.main", "bad": "acme.cli; import os"},
		"pytest11":        {"acme": "acme.plugin"},
		"bad]\n[group":    {"x": "y"},
	}}
	if err := WriteMetadata(dir, m); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(name)
			rel, _ := filepath.Rel(dir, name)
			got[rel] = string(text)
		}
		return err
	})
	const info = "Acme_Tool-1.2+local.dist-info/"
	want := map[string]string{
		info + "METADATA":         "Metadata-Version: 2.1\nName: Acme-Tool\nVersion: 1.2+local\n",
		info + "RECORD":           "",
		info + "INSTALLER":        "touchstone\n",
		info + "entry_points.txt": "[console_scripts]\nacme = acme.cli:App.main\n\n[pytest11]\nacme = acme.plugin\n\n",
		"bin/acme":                "#!/env/bin/python\nimport sys\nfrom acme.cli import App\nif __name__ == \"__main__\":\n    sys.exit(App.main())\n",
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %q, want %q", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the files are %v", got)
	}
}
