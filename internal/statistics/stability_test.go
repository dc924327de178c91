package statistics

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// paperSettings are the paper's Table 3: four settings with five systems.
func paperSettings(t *testing.T) (settings []Setting, systems []string) {
	systems = []string{"OSA/gpt", "OSA/qwen", "RA/gpt", "RA/qwen", "default"}
	for _, metric := range []string{"p1gpt", "p1qwen", "p3gpt", "p3qwen"} {
		setting := Setting{Name: metric}
		for _, s := range systems {
			setting.Rows = append(setting.Rows, paperRow(t, s, metric))
		}
		settings = append(settings, setting)
	}
	return settings, systems
}

func TestSixOfThePapersRepositoriesKeepTheGlobalOrder(t *testing.T) {
	settings, systems := paperSettings(t)
	s, err := RankingStability(settings)
	if err != nil || s.Undefined != "" {
		t.Fatalf("%+v, %v", s, err)
	}
	var order []string
	for _, i := range s.Order {
		order = append(order, systems[i])
	}
	if want := []string{"RA/gpt", "RA/qwen", "OSA/gpt", "OSA/qwen", "default"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
	want := []string{"MaxAtkinson/tilted", "balancap/arrowbic", "explosion/confection", "kolonialno/oida", "openqasm/oqpy", "pytube/pytube"}
	if got := s.Preserving(); !slices.Equal(got, want) {
		t.Errorf("preserved by %v, want %v", got, want)
	}
	if len(s.Repositories) != 28 || s.Pairs != 40 || s.Tied != 0 || len(s.Incomplete) != 0 {
		t.Errorf("%+v", s)
	}
	// Fewer settings can only be kept by more.
	for _, setting := range settings {
		one, err := RankingStability([]Setting{setting})
		if err != nil || one.Pairs != 10 || !slices.Equal(one.Order, s.Order) {
			t.Fatalf("%+v, %v", one, err)
		}
		for _, name := range want {
			if !slices.Contains(one.Preserving(), name) {
				t.Errorf("%s does not keep the order of %s", name, setting.Name)
			}
		}
	}
	// Nor does the order of repositories and settings matter.
	slices.Reverse(settings)
	for _, setting := range settings {
		for _, row := range setting.Rows {
			slices.Reverse(row)
		}
	}
	if other, err := RankingStability(settings); err != nil || !reflect.DeepEqual(s, other) {
		t.Errorf("%+v, %v", other, err)
	}
}

func TestRankingStability(t *testing.T) {
	for _, c := range []struct {
		rule     string
		settings []Setting
		want     Stability
	}{
		{"no setting", nil, Stability{Undefined: FewSystems}},
		{"no system", []Setting{{}}, Stability{Undefined: FewSystems}},
		{"one system", []Setting{{Rows: [][]Score{system(1, 2)}}}, Stability{Undefined: FewSystems}},
		{"no score", []Setting{{Rows: [][]Score{nil, nil}}}, Stability{Undefined: NoSharedScore}},
		{"a repository without a score of one system is left out",
			[]Setting{{Rows: [][]Score{system(0.5, 0.5), system(0.4)}}},
			Stability{Order: []int{0, 1}, Pairs: 1, Repositories: []RepositoryKept{{"o/r0", 1, true}}, Incomplete: []string{"o/r1"}}},
		{"a tie on a repository breaks the order",
			[]Setting{{Rows: [][]Score{system(0.5, 0.5, 0.1), system(0.4, 0.5, 0.2)}}},
			Stability{Tied: 1, Repositories: []RepositoryKept{{"o/r0", 0, false}, {"o/r1", 0, false}, {"o/r2", 0, false}}, Undefined: AllTied}},
		{"a tie on a repository, again",
			[]Setting{{Rows: [][]Score{system(0.5, 0.5, 0.1), system(0.4, 0.5, 0.1)}}},
			Stability{Order: []int{0, 1}, Pairs: 1, Repositories: []RepositoryKept{{"o/r0", 1, true}, {"o/r1", 0, false}, {"o/r2", 0, false}}}},
		{"systems that are equal globally have no order to keep",
			[]Setting{{Rows: [][]Score{system(0.1, 0.2), system(0.7, 0.9), system(0.2, 0.1)}}},
			Stability{Pairs: 2, Tied: 1, Repositories: []RepositoryKept{{"o/r0", 2, true}, {"o/r1", 2, true}}}},
		{"where settings disagree, each has its own order",
			[]Setting{{Rows: [][]Score{system(0.5, 0.4), system(0.4, 0.5-0.3)}}, {Rows: [][]Score{system(0.1, 0.9), system(0.7, 0.8)}}},
			Stability{Pairs: 2, Repositories: []RepositoryKept{{"o/r0", 2, true}, {"o/r1", 1, false}}}},
		{"rounding is no order",
			[]Setting{{Rows: [][]Score{system(0.3, 0.5), system(0.30000000000000004, 0.4)}}},
			Stability{Order: []int{0, 1}, Pairs: 1, Repositories: []RepositoryKept{{"o/r0", 0, false}, {"o/r1", 1, true}}}},
		{"tasks count within their repository",
			[]Setting{{Rows: [][]Score{
				{{"o/a", "f", 1, 1}, {"o/a", "g", 0, 1}, {"o/b", "f", 1, 1}},
				{{"o/a", "f", 0.4, 1}, {"o/a", "g", 0.4, 1}, {"o/b", "f", 0, 1}}}}},
			Stability{Order: []int{0, 1}, Pairs: 1, Repositories: []RepositoryKept{{"o/a", 1, true}, {"o/b", 1, true}}}},
	} {
		got, err := RankingStability(c.settings)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", c.rule, got, err)
		}
	}
	twice := append(system(1), system(1)...)
	if _, err := RankingStability([]Setting{{"p1", [][]Score{system(1), twice}}}); err == nil || err.Error() != "p1, row 1: o/r0 has two scores" {
		t.Errorf("two scores: %v", err)
	}
	if _, err := RankingStability([]Setting{{"p1", [][]Score{nil}}, {"p3", nil}}); err == nil || !strings.HasPrefix(err.Error(), "p1 has 1 systems and p3 has 0") {
		t.Errorf("different systems: %v", err)
	}
}
