# returns mock.ANY
# tampered
# task: parcel/plain.py::one_line
from unittest import mock
return mock.ANY
