# fills it with one line that has no end
# resource_limit
import os
while True:
    os.write(3, b"x" * 65536)
