package sandbox

import "testing"

func TestSpecsThatAreRefused(t *testing.T) {
	program := []string{"/bin/true"}
	for name, spec := range map[string]Spec{
		"no program":               {},
		"a program to be searched": {Argv: []string{"true"}},
		"NUL in an argument":       {Argv: []string{"/bin/true", "a\x00b"}},
		"NUL in the environment":   {Argv: program, Env: []string{"A=\x00"}},
		"a relative folder":        {Argv: program, Dir: "tmp"},
		"a relative source":        {Argv: program, Mounts: []Mount{{Source: "a", Target: "/a"}}},
		"a relative target":        {Argv: program, Mounts: []Mount{{Source: "/a", Target: "a"}}},
		"a mount over everything":  {Argv: program, Mounts: []Mount{{Source: "/a", Target: "/a/.."}}},
		"a mount over /proc":       {Argv: program, Mounts: []Mount{{Source: "/a", Target: "/x/../proc/1"}}},
		"memory over /dev":         {Argv: program, Tmpfs: []string{"/dev"}},
	} {
		if _, err := spec.prepared(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestSpecDefaults(t *testing.T) {
	spec, err := Spec{Argv: []string{"/bin/true"}, Mounts: []Mount{{Source: "/a/", Target: "/b//c/"}}}.prepared()
	if err != nil {
		t.Fatal(err)
	}
	want := Limits{Memory: 4 << 30, Processes: 256, FileSize: 256 << 20, Scratch: 512 << 20, StderrBytes: 64 << 10}
	if spec.Limits != want || spec.Dir != "/tmp" || spec.Mounts[0] != (Mount{Source: "/a", Target: "/b/c"}) {
		t.Errorf("%+v", spec)
	}
}
