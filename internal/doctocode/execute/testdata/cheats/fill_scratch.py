# uses up all scratch space and files
# failed resource_limit
import os
try:
    for i in range(2000):
        with open("/tmp/%d" % i, "wb") as f:
            f.write(bytes(1 << 20))
except OSError:
    pass
try:
    for i in range(3000):
        open("/dev/shm/%d" % i, "w").close()
except OSError:
    pass
return None
