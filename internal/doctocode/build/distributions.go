package build

import (
	"slices"
	"strings"
)

// moduleDistributions names the distribution of a module where the two differ.
var moduleDistributions = map[string]string{
	"attr": "attrs", "bs4": "beautifulsoup4", "Crypto": "pycryptodome", "Cryptodome": "pycryptodomex", "cv2": "opencv-python-headless",
	"dateutil": "python-dateutil", "docx": "python-docx", "dotenv": "python-dotenv", "fitz": "PyMuPDF", "git": "GitPython",
	"google.protobuf": "protobuf", "jose": "python-jose", "jwt": "PyJWT", "ldap3": "ldap3", "lxml": "lxml", "magic": "python-magic",
	"markdown": "Markdown", "mock": "mock", "multipart": "python-multipart", "mysqldb": "mysqlclient", "MySQLdb": "mysqlclient",
	"nacl": "PyNaCl", "OpenSSL": "pyOpenSSL", "parameterized": "parameterized", "past": "future", "PIL": "pillow", "pkg_resources": "setuptools<81",
	"pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pytest_httpserver": "pytest-httpserver", "Xlib": "python-xlib", "ruamel": "ruamel.yaml",
	"ruamel.yaml": "ruamel.yaml", "serial": "pyserial", "setuptools": "setuptools", "skimage": "scikit-image", "sklearn": "scikit-learn",
	"slugify": "python-slugify", "socks": "PySocks", "telegram": "python-telegram-bot", "usb": "pyusb", "websocket": "websocket-client",
	"win32api": "", "win32con": "", "winreg": "", "yaml": "PyYAML", "zmq": "pyzmq", "zope.interface": "zope.interface", "zope.component": "zope.component",
	"async_generator": "async-generator", "faker": "Faker", "flask_sqlalchemy": "Flask-SQLAlchemy", "rest_framework": "djangorestframework",
	"importlib_metadata": "importlib-metadata", "importlib_resources": "importlib-resources", "levenshtein": "Levenshtein", "Levenshtein": "Levenshtein",
	"memcache": "python-memcached", "redis": "redis", "requests_toolbelt": "requests-toolbelt", "snappy": "python-snappy", "wx": "", "gi": "", "dbus": "",
	"pyximport": "Cython", "cython": "Cython", "IPython": "ipython", "tlz": "toolz", "distutils": "setuptools", "imp": "", "asynctest": "",
	"pytest_asyncio": "pytest-asyncio", "xdist": "pytest-xdist", "nose": "", "six.moves": "six", "tomli": "tomli", "ujson": "ujson",
	"webob": "WebOb", "webtest": "WebTest", "werkzeug": "Werkzeug", "babel": "Babel", "jinja2": "Jinja2", "sqlalchemy": "SQLAlchemy",
	"hpack": "hpack", "h2": "h2", "gmpy2": "gmpy2", "igraph": "igraph", "community": "python-louvain", "umap": "umap-learn", "OpenGL": "PyOpenGL",
}

// pluginOfOption names the plugin that knows a pytest option; the longest
// prefix decides.
var pluginOfOption = map[string]string{
	"--asyncio": "pytest-asyncio", "--benchmark": "pytest-benchmark", "--cov": "pytest-cov", "--ds": "pytest-django", "--reuse-db": "pytest-django",
	"--nomigrations": "pytest-django", "--no-migrations": "pytest-django", "--hypothesis": "hypothesis", "--mpl": "pytest-mpl", "--timeout": "pytest-timeout",
	"--socket": "pytest-socket", "--disable-socket": "pytest-socket", "--allow-hosts": "pytest-socket", "--allow-unix-socket": "pytest-socket",
	"--snapshot": "syrupy", "--vcr": "pytest-recording", "--record-mode": "pytest-recording", "--block-network": "pytest-recording",
	"--regtest": "pytest-regtest", "--force-regen": "pytest-regressions", "--typeguard": "typeguard", "--count": "pytest-repeat",
	"--order": "pytest-order", "--arraydiff": "pytest-arraydiff", "--remote-data": "pytest-remotedata", "--open-files": "pytest-openfiles",
	"--freezegun": "pytest-freezer", "--inline-snapshot": "inline-snapshot", "--envfile": "pytest-dotenv", "--run-slow": "pytest-slow",
}

// pluginOfFixture names the plugin that brings a fixture.
var pluginOfFixture = map[string]string{
	"mocker": "pytest-mock", "class_mocker": "pytest-mock", "module_mocker": "pytest-mock", "session_mocker": "pytest-mock",
	"benchmark": "pytest-benchmark", "benchmark_weave": "pytest-benchmark", "cov": "pytest-cov", "no_cover": "pytest-cov",
	"httpserver": "pytest-httpserver", "make_httpserver": "pytest-httpserver", "httpbin": "pytest-httpbin", "httpx_mock": "pytest-httpx", "respx_mock": "respx",
	"requests_mock": "requests-mock", "aioresponses": "pytest-aioresponses", "aiohttp_client": "pytest-aiohttp", "aiohttp_server": "pytest-aiohttp",
	"datadir": "pytest-datadir", "shared_datadir": "pytest-datadir", "lazy_datadir": "pytest-datadir", "data_regression": "pytest-regressions",
	"file_regression": "pytest-regressions", "num_regression": "pytest-regressions", "dataframe_regression": "pytest-regressions", "image_regression": "pytest-regressions",
	"event_loop": "pytest-asyncio", "unused_tcp_port": "pytest-asyncio", "freezer": "pytest-freezer", "time_machine": "time-machine", "snapshot": "syrupy",
	"subtests": "pytest-subtests", "faker": "Faker", "fs": "pyfakefs", "fs_class": "pyfakefs", "fake_filesystem": "pyfakefs", "vcr": "pytest-recording",
	"vcr_cassette": "pytest-vcr", "client": "pytest-django", "db": "pytest-django", "rf": "pytest-django", "settings": "pytest-django", "admin_client": "pytest-django",
	"django_user_model": "pytest-django", "nursery": "pytest-trio", "autojump_clock": "pytest-trio", "mock_clock": "pytest-trio", "fp": "pytest-subprocess",
	"fake_process": "pytest-subprocess", "qtbot": "pytest-qt", "socket_enabled": "pytest-socket", "socket_disabled": "pytest-socket", "regtest": "pytest-regtest",
	"testing_config": "", "worker_id": "pytest-xdist", "testrun_uid": "pytest-xdist", "lazy_fixture": "pytest-lazy-fixtures", "console_scripts": "pytest-console-scripts",
	"script_runner": "pytest-console-scripts", "cases": "pytest-cases", "anyio_backend": "anyio", "anyio_backend_name": "anyio", "celery_app": "celery", "original_datadir": "pytest-datadir",
	"check": "pytest-check", "tmp_path_plus": "", "monkeypatch_session": "", "loop": "pytest-aiohttp", "golden": "pytest-golden", "ipdoctest": "", "notebook": "",
}

// pluginOfMark names the plugin that a mark belongs to.
var pluginOfMark = map[string]string{
	"asyncio": "pytest-asyncio", "trio": "pytest-trio", "anyio": "anyio", "benchmark": "pytest-benchmark", "timeout": "pytest-timeout",
	"django_db": "pytest-django", "freeze_time": "pytest-freezer", "vcr": "pytest-recording", "block_network": "pytest-recording", "default_cassette": "pytest-recording",
	"repeat": "pytest-repeat", "dependency": "pytest-dependency", "order": "pytest-order", "mpl_image_compare": "pytest-mpl", "respx": "respx",
	"httpx_mock": "pytest-httpx", "enable_socket": "pytest-socket", "disable_socket": "pytest-socket", "allow_hosts": "pytest-socket", "remote_data": "pytest-remotedata",
	"script_launch_mode": "pytest-console-scripts", "pyfakefs": "pyfakefs",
}

// pluginOfSetting names the plugin that reads an option of the configuration.
var pluginOfSetting = map[string]string{
	"asyncio_mode": "pytest-asyncio", "asyncio_default_fixture_loop_scope": "pytest-asyncio", "django_settings_module": "pytest-django",
	"trio_mode": "pytest-trio", "mock_use_standalone_module": "pytest-mock", "env": "pytest-env", "anyio_mode": "anyio",
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
	"autoflake", "bandit", "black", "blacken-docs", "build", "bump-my-version", "bump2version", "bumpversion", "check-manifest", "codecov", "codespell", "commitizen",
	"coverage", "covdefaults", "coverage-conditional-plugin", "coverage-enable-subprocess", "coveralls", "cz-changelog", "darglint", "docutils-stubs", "doc8", "docformatter", "autopep8", "mccabe", "flake8", "flit", "flit-core", "furo", "hatch", "hatchling", "interrogate", "invoke", "ipdb", "ipython",
	"isort", "jupyter", "jupyterlab", "mkdocs", "mkdocs-material", "mkdocstrings", "mypy", "mypy-extensions", "nbsphinx", "nox", "notebook", "pdbpp", "pep8", "pep8-naming", "pip", "pip-audit", "pip-tools",
	"pipdeptree", "poethepoet", "pre-commit", "prospector", "pycodestyle", "pydocstyle", "pyflakes", "pygount", "pylint", "pyright", "pyroma", "pytest-black", "pytest-checkdocs", "pytest-clarity",
	"pytest-codspeed", "pytest-cov", "pytest-enabler", "pytest-flake8", "pytest-flakes", "pytest-forked", "pytest-github-actions-annotate-failures", "pytest-html", "pytest-icdiff",
	"pytest-instafail", "pytest-isort", "pytest-memray", "pytest-mypy", "pytest-mypy-plugins", "pytest-parallel", "pytest-pep8", "pytest-perf", "pytest-picked", "pytest-pretty", "pytest-profiling", "pytest-pycodestyle",
	"pytest-pylint", "pytest-random-order", "pytest-randomly", "pytest-rerunfailures", "pytest-reverse", "pytest-ruff", "pytest-runner", "pytest-sugar", "pytest-testmon", "pytest-tldr",
	"pytest-watch", "pytest-watcher", "pytest-xdist", "python-semantic-release", "pyupgrade", "readme-renderer", "restructuredtext-lint", "rstcheck", "ruff", "safety", "setuptools", "setuptools-scm",
	"sphinx", "sphinx-autobuild", "sphinx-autodoc-typehints", "sphinx-copybutton", "sphinx-lint", "sphinx-rtd-theme", "tbump", "towncrier", "tox", "tox-gh-actions", "tox-uv", "tox-travis", "tomcli", "twine", "ty", "uv", "versioneer", "vulture",
	"wheel", "yapf", "zest-releaser", "unify", "virtualenv", "watchdog", "nose", "sphinxcontrib-napoleon", "types-setuptools", "types-requests", "types-pyyaml",
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
