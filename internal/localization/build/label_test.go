package build

import (
	"fmt"
	"strings"
	"testing"
)

func TestEveryFileHasOneLabel(t *testing.T) {
	for label, names := range map[string]string{
		"source":    "main.go src/parser.rs lib/history.go packages/core/src/index.ts Makefile CMakeLists.txt .github/workflows/ci.yml package.json Cargo.toml requirements.txt src/contest.py src/latest.js src/attest/x.go latest/run.go src/Tester.java readme.go news/feed.py mock.go snapshots/take.c src/testament.cc notice.ts",
		"test":      "x_test.go a/test_x.py tests/data.json conftest.py src/x.test.tsx src/x.spec.ts packages/react/src/__tests__/ReactHooks-test.js XTest.java XTests.cs FooIT.java spec/models/x_spec.rb x_unittest.cc crates/y/src/tests.rs crates/ruff/resources/test/fixtures/E501.py crates/ty/resources/mdtest/call.md packages-private/dts-test/ref.test-d.tsx test/README.md testdata/x e2e/x.js src/dfly/dragonfly_test.cc mocks/store.go x_test.exs XTest.php",
		"docs":      "README.md docs/conf.py doc/x.c CHANGELOG CHANGELOG.md LICENSE LICENSE-MIT LICENSE.txt AUTHORS src/notes.rst guide.adoc Readme CITATION.cff man/x.1 HISTORY.txt src/module/README.mdx",
		"generated": "go.sum Cargo.lock pnpm-lock.yaml a/package-lock.json uv.lock api/x.pb.go api/x_pb2.py x_pb2_grpc.pyi x.grpc.pb.cc static/x.min.js x.js.map tests/__snapshots__/x.snap crates/x/src/snapshots/y.snap vendor/a/b.go node_modules/a/README.md third_party/x.h zz_generated.deepcopy.go types_generated.go x.g.dart mock_store.go dist/index.js y_templ.go schema.generated.ts",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := fmt.Sprint(Label(name)); got != label {
				t.Errorf("%s is %s, want %s", name, got, label)
			}
		}
	}
}
