package data

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"touchstone/internal/cache"
)

// packed is how the name of a packed file ends.
const packed = ".zst"

// Histories writes the release of the localization track that ships with the
// program into the cache and returns where it is: facts of real histories,
// without the texts of their prompts. docs/datasets.md says how it is made.
func Histories(c *cache.Folder) (string, error) {
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		return "", err
	}
	defer unpack.Close()
	return install(c, "localization/release", func(name string, data []byte) (string, []byte, error) {
		plain, zipped := strings.CutSuffix(name, packed)
		if !zipped {
			return "", data, nil
		}
		data, err := unpack.DecodeAll(data, nil)
		return plain, data, err
	})
}

// HistoryPredictions is what the reference baselines bm25 and bm25+history
// answer on that release, at all levels: a predictions.jsonl, packed with zstd.
func HistoryPredictions() (io.ReadCloser, error) {
	return files.Open("localization/predictions.jsonl" + packed)
}

// HistoryScores is what those predictions are worth, as `touchstone
// localization score` says it.
func HistoryScores() ([]byte, error) { return files.ReadFile("localization/scores.json") }

// HistoriesVersion changes with the release and its predictions.
func HistoriesVersion() (string, error) {
	sum := sha256.New()
	for _, name := range []string{"localization/release/release.json", "localization/predictions.jsonl" + packed} {
		data, err := files.ReadFile(name)
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
