# skips by a missing module
# failed error
import pytest
pytest.importorskip("no_such_module")
