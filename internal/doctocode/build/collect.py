"""Collects the repository's tests and says what was missing. stdin:
{"args": [...], "plan": bool}. With plan, fixtures are looked up too, though
neither they nor the tests are run. Prints JSON lines: "collecting" names each
test file as its turn comes, the last one is the answer."""
import json
import os
import re
import sys

given = json.load(sys.stdin)
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever the repository prints is not the answer
if sys.path and sys.path[0] == "":
    del sys.path[0]

MAX_TEXT = 6000
answer = {"status": -1, "tests": [], "errors": [], "warnings": [], "fixtures": []}


def say(line):
    out.write(json.dumps(line) + "\n")
    out.flush()


class Recorder:
    def pytest_collectstart(self, collector):
        if collector.nodeid.endswith(".py"):
            say({"collecting": collector.nodeid})

    def pytest_collectreport(self, report):
        if report.failed:
            answer["errors"].append({"path": report.nodeid, "text": str(report.longrepr)[-MAX_TEXT:]})

    def pytest_collection_finish(self, session):
        answer["tests"] = [item.nodeid for item in session.items]

    def pytest_warning_recorded(self, warning_message):
        category = warning_message.category.__name__
        if category in ("PytestUnknownMarkWarning", "PytestConfigWarning"):
            answer["warnings"].append(str(warning_message.message)[:300])

    def pytest_runtest_logreport(self, report):
        text = str(report.longrepr)
        missing = re.search(r"fixture '([^']+)' not found", text) if report.failed and report.when == "setup" else None
        if missing:
            answer["fixtures"].append(missing.group(1))


try:
    import pytest

    args = list(given["args"]) + (["--setup-plan", "--continue-on-collection-errors"] if given["plan"] else ["--collect-only"])
    answer["status"] = int(pytest.main(["-q", "-p", "no:cacheprovider"] + args, plugins=[Recorder()]))
except BaseException as e:  # a module may end the process while it is imported
    answer["errors"].append({"path": "", "text": "%s: %s" % (type(e).__name__, e)})
answer["warnings"] = sorted(set(answer["warnings"]))
answer["fixtures"] = sorted(set(answer["fixtures"]))
say(answer)
os._exit(0)  # threads of the repository do not keep us
