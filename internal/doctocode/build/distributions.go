package build

import (
	"slices"
	"strings"
)

// moduleDistributions names the distribution of a module where the two differ,
// and "" for modules that no distribution brings.
var moduleDistributions = map[string]string{
	"asynctest": "", "attr": "attrs", "bs4": "beautifulsoup4", "community": "python-louvain", "Crypto": "pycryptodome",
	"Cryptodome": "pycryptodomex", "cv2": "opencv-python-headless", "dateutil": "python-dateutil", "dbus": "",
	"distutils": "setuptools", "docx": "python-docx", "dotenv": "python-dotenv", "fitz": "PyMuPDF", "gi": "", "git": "GitPython",
	"google.protobuf": "protobuf", "imp": "", "jose": "python-jose", "jwt": "PyJWT", "magic": "python-magic",
	"memcache": "python-memcached", "multipart": "python-multipart", "mysqldb": "mysqlclient", "MySQLdb": "mysqlclient",
	"nacl": "PyNaCl", "nose": "", "OpenGL": "PyOpenGL", "OpenSSL": "pyOpenSSL", "past": "future", "PIL": "pillow",
	"pkg_resources": "setuptools<81", "pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pyximport": "Cython",
	"rest_framework": "djangorestframework", "ruamel": "ruamel.yaml", "ruamel.yaml": "ruamel.yaml", "serial": "pyserial",
	"setuptools": "setuptools", "six.moves": "six", "skimage": "scikit-image", "sklearn": "scikit-learn",
	"slugify": "python-slugify", "snappy": "python-snappy", "socks": "PySocks", "telegram": "python-telegram-bot", "tlz": "toolz",
	"umap": "umap-learn", "usb": "pyusb", "websocket": "websocket-client", "win32api": "", "win32con": "", "winreg": "", "wx": "",
	"xdist": "pytest-xdist", "Xlib": "python-xlib", "yaml": "PyYAML", "zmq": "pyzmq", "zope.component": "zope.component",
	"zope.interface": "zope.interface",
}

// pluginOfOption names the plugin that knows a pytest option; the longest
// prefix decides.
var pluginOfOption = map[string]string{
	"--allow-hosts": "pytest-socket", "--allow-unix-socket": "pytest-socket", "--arraydiff": "pytest-arraydiff",
	"--asyncio": "pytest-asyncio", "--benchmark": "pytest-benchmark", "--block-network": "pytest-recording",
	"--count": "pytest-repeat", "--cov": "pytest-cov", "--disable-socket": "pytest-socket", "--ds": "pytest-django",
	"--envfile": "pytest-dotenv", "--force-regen": "pytest-regressions", "--freezegun": "pytest-freezer",
	"--hypothesis": "hypothesis", "--inline-snapshot": "inline-snapshot", "--mpl": "pytest-mpl", "--no-migrations": "pytest-django",
	"--nomigrations": "pytest-django", "--open-files": "pytest-openfiles", "--order": "pytest-order",
	"--record-mode": "pytest-recording", "--regtest": "pytest-regtest", "--remote-data": "pytest-remotedata",
	"--reuse-db": "pytest-django", "--run-slow": "pytest-slow", "--snapshot": "syrupy", "--socket": "pytest-socket",
	"--timeout": "pytest-timeout", "--typeguard": "typeguard", "--vcr": "pytest-recording",
}

// pluginOfFixture names the plugin that brings a fixture.
var pluginOfFixture = map[string]string{
	"admin_client": "pytest-django", "aiohttp_client": "pytest-aiohttp", "aiohttp_server": "pytest-aiohttp",
	"aioresponses": "pytest-aioresponses", "anyio_backend": "anyio", "anyio_backend_name": "anyio", "autojump_clock": "pytest-trio",
	"benchmark": "pytest-benchmark", "benchmark_weave": "pytest-benchmark", "cases": "pytest-cases", "celery_app": "celery",
	"check": "pytest-check", "class_mocker": "pytest-mock", "client": "pytest-django", "console_scripts": "pytest-console-scripts",
	"cov": "pytest-cov", "data_regression": "pytest-regressions", "datadir": "pytest-datadir",
	"dataframe_regression": "pytest-regressions", "db": "pytest-django", "django_user_model": "pytest-django",
	"event_loop": "pytest-asyncio", "fake_filesystem": "pyfakefs", "fake_process": "pytest-subprocess", "faker": "Faker",
	"file_regression": "pytest-regressions", "fp": "pytest-subprocess", "freezer": "pytest-freezer", "fs": "pyfakefs",
	"fs_class": "pyfakefs", "golden": "pytest-golden", "httpbin": "pytest-httpbin", "httpserver": "pytest-httpserver",
	"httpx_mock": "pytest-httpx", "image_regression": "pytest-regressions", "lazy_datadir": "pytest-datadir",
	"lazy_fixture": "pytest-lazy-fixtures", "loop": "pytest-aiohttp", "make_httpserver": "pytest-httpserver",
	"mock_clock": "pytest-trio", "mocker": "pytest-mock", "module_mocker": "pytest-mock", "no_cover": "pytest-cov",
	"num_regression": "pytest-regressions", "nursery": "pytest-trio", "original_datadir": "pytest-datadir", "qtbot": "pytest-qt",
	"regtest": "pytest-regtest", "requests_mock": "requests-mock", "respx_mock": "respx", "rf": "pytest-django",
	"script_runner": "pytest-console-scripts", "session_mocker": "pytest-mock", "settings": "pytest-django",
	"shared_datadir": "pytest-datadir", "snapshot": "syrupy", "socket_disabled": "pytest-socket", "socket_enabled": "pytest-socket",
	"subtests": "pytest-subtests", "testrun_uid": "pytest-xdist", "time_machine": "time-machine",
	"unused_tcp_port": "pytest-asyncio", "vcr": "pytest-recording", "vcr_cassette": "pytest-vcr", "worker_id": "pytest-xdist",
}

// pluginOfMark names the plugin that a mark belongs to.
var pluginOfMark = map[string]string{
	"allow_hosts": "pytest-socket", "anyio": "anyio", "asyncio": "pytest-asyncio", "benchmark": "pytest-benchmark",
	"block_network": "pytest-recording", "default_cassette": "pytest-recording", "dependency": "pytest-dependency",
	"disable_socket": "pytest-socket", "django_db": "pytest-django", "enable_socket": "pytest-socket",
	"freeze_time": "pytest-freezer", "httpx_mock": "pytest-httpx", "mpl_image_compare": "pytest-mpl", "order": "pytest-order",
	"pyfakefs": "pyfakefs", "remote_data": "pytest-remotedata", "repeat": "pytest-repeat", "respx": "respx",
	"script_launch_mode": "pytest-console-scripts", "timeout": "pytest-timeout", "trio": "pytest-trio", "vcr": "pytest-recording",
}

// pluginOfSetting names the plugin that reads an option of the configuration.
var pluginOfSetting = map[string]string{
	"anyio_mode": "anyio", "asyncio_default_fixture_loop_scope": "pytest-asyncio", "asyncio_mode": "pytest-asyncio",
	"django_settings_module": "pytest-django", "env": "pytest-env", "mock_use_standalone_module": "pytest-mock",
	"trio_mode": "pytest-trio",
}

// distributionOf is the distribution to try for a missing module: the table's,
// or the module's own name. It is "" when none is known to bring the module.
func distributionOf(module string) string {
	top, _, _ := strings.Cut(module, ".")
	for _, name := range []string{module, top} {
		if d, ok := moduleDistributions[name]; ok {
			return d
		}
	}
	if strings.HasPrefix(top, "_") {
		return ""
	}
	return strings.ReplaceAll(top, "_", "-")
}

// longestPrefix finds the entry whose key is the longest prefix of name.
func longestPrefix(table map[string]string, name string) string {
	best := ""
	for key := range table {
		if strings.HasPrefix(name, key) && len(key) > len(best) {
			best = key
		}
	}
	return table[best]
}

// tools are distributions that developers use and tests do without. They are
// left out of environments unless something imports them; some of them would
// change which tests run, or in which order.
var tools = []string{
	"autoflake", "autopep8", "bandit", "black", "blacken-docs", "build", "bump-my-version", "bump2version", "bumpversion",
	"check-manifest", "codecov", "codespell", "commitizen", "covdefaults", "coverage", "coverage-conditional-plugin",
	"coverage-enable-subprocess", "coveralls", "cz-changelog", "darglint", "doc8", "docformatter", "docutils-stubs", "flake8",
	"flit", "flit-core", "furo", "hatch", "hatchling", "interrogate", "invoke", "ipdb", "ipython", "isort", "jupyter", "jupyterlab",
	"mccabe", "mkdocs", "mkdocs-material", "mkdocstrings", "mypy", "mypy-extensions", "nbsphinx", "nose", "notebook", "nox",
	"pdbpp", "pep8", "pep8-naming", "pip", "pip-audit", "pip-tools", "pipdeptree", "poethepoet", "pre-commit", "prospector",
	"pycodestyle", "pydocstyle", "pyflakes", "pygount", "pylint", "pyright", "pyroma", "pytest-black", "pytest-checkdocs",
	"pytest-clarity", "pytest-codspeed", "pytest-cov", "pytest-enabler", "pytest-flake8", "pytest-flakes", "pytest-forked",
	"pytest-github-actions-annotate-failures", "pytest-html", "pytest-icdiff", "pytest-instafail", "pytest-isort", "pytest-memray",
	"pytest-mypy", "pytest-mypy-plugins", "pytest-parallel", "pytest-pep8", "pytest-perf", "pytest-picked", "pytest-pretty",
	"pytest-profiling", "pytest-pycodestyle", "pytest-pylint", "pytest-random-order", "pytest-randomly", "pytest-rerunfailures",
	"pytest-reverse", "pytest-ruff", "pytest-runner", "pytest-sugar", "pytest-testmon", "pytest-tldr", "pytest-watch",
	"pytest-watcher", "pytest-xdist", "python-semantic-release", "pyupgrade", "readme-renderer", "restructuredtext-lint",
	"rstcheck", "ruff", "safety", "setuptools", "setuptools-scm", "sphinx", "sphinx-autobuild", "sphinx-autodoc-typehints",
	"sphinx-copybutton", "sphinx-lint", "sphinx-rtd-theme", "sphinxcontrib-napoleon", "tbump", "tomcli", "towncrier", "tox",
	"tox-gh-actions", "tox-travis", "tox-uv", "twine", "ty", "types-pyyaml", "types-requests", "types-setuptools", "unify", "uv",
	"versioneer", "virtualenv", "vulture", "watchdog", "wheel", "yapf", "zest-releaser",
}

// isTool reports whether a distribution is one that tests do without.
func isTool(name string) bool {
	for _, prefix := range []string{"flake8-", "mkdocs-", "sphinx-", "sphinxcontrib-", "types-", "jupyter-", "pylint-", "pre-commit-", "ruff-", "nbqa"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(tools, name)
}
