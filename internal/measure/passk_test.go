package measure

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestPassAtKVectors holds against OpenAI's human-eval and the exact binomial.
func TestPassAtKVectors(t *testing.T) {
	f, err := os.Open("testdata/passk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var v struct {
			N, C, K int
			PassAtK float64 `json:"pass_at_k"`
			Exact   float64
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		got, err := PassAtK(v.N, v.C, v.K)
		if err != nil {
			t.Fatalf("n=%d c=%d k=%d: %v", v.N, v.C, v.K, err)
		}
		if math.Abs(got-v.PassAtK) > 1e-9 || math.Abs(got-v.Exact) > 1e-9 {
			t.Errorf("n=%d c=%d k=%d: %v, want %v (exact %v)", v.N, v.C, v.K, got, v.PassAtK, v.Exact)
		}
	}
	if n < 100 {
		t.Fatalf("only %d vectors", n)
	}
}

func TestPassAtKIsExact(t *testing.T) {
	binomial := func(n, k int) float64 {
		b := 1.0
		for i := range k {
			b = b * float64(n-i) / float64(i+1)
		}
		return b
	}
	for n := 1; n <= 20; n++ {
		for k := 1; k <= n; k++ {
			last := -1.0
			for c := 0; c <= n; c++ {
				got, err := PassAtK(n, c, k)
				if err != nil {
					t.Fatal(err)
				}
				if want := 1 - binomial(n-c, k)/binomial(n, k); math.Abs(got-want) > 1e-9 {
					t.Errorf("n=%d c=%d k=%d: %v, want %v", n, c, k, got, want)
				}
				if got < last || got < 0 || got > 1 {
					t.Errorf("n=%d c=%d k=%d: %v does not grow with c from 0 to 1", n, c, k, got)
				}
				last = got
			}
		}
	}
}

func TestPassAtKRefuses(t *testing.T) {
	for _, v := range []struct {
		why     string
		n, c, k int
	}{
		{"k below 1", 5, 1, 0},
		{"fewer samples than k", 2, 1, 3},
		{"no samples", 0, 0, 1},
		{"more passes than samples", 3, 4, 1},
		{"negative passes", 3, -1, 1},
	} {
		if _, err := PassAtK(v.n, v.c, v.k); err == nil {
			t.Errorf("%s: no error", v.why)
		}
	}
}

// TestUnweightedMeanReproducesTable1: the paper's Table 1 is the unweighted
// mean over repositories of its Table 3, to rounding.
func TestUnweightedMeanReproducesTable1(t *testing.T) {
	data, err := os.ReadFile("testdata/paper_table3.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Repos, Configs, Metrics []string
		X                       [][][]float64 // repository, configuration, metric
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	// Rows as Table 1 prints them; columns are pass@1 (gpt, qwen), pass@3 (gpt, qwen).
	want := map[string][]float64{
		"OSA/gpt":  {0.73, 0.69, 0.80, 0.72},
		"OSA/qwen": {0.63, 0.58, 0.72, 0.62},
		"RA/gpt":   {0.75, 0.83, 0.89, 0.86},
		"RA/qwen":  {0.74, 0.74, 0.84, 0.77},
		"default":  {0.55, 0.48, 0.64, 0.52},
	}
	for c, config := range table.Configs {
		for m, metric := range table.Metrics {
			sum := 0.0
			for r := range table.Repos {
				sum += table.X[r][c][m]
			}
			mean := sum / float64(len(table.Repos))
			if math.Abs(mean-want[config][m]) > 0.01 {
				t.Errorf("%s %s: mean of Table 3 is %.4f, Table 1 prints %.2f", config, metric, mean, want[config][m])
			}
		}
	}
}
