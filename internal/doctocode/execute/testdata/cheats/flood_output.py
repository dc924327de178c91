# writes without end
# resource_limit
import sys
while True:
    sys.__stdout__.write("x" * 65536)
