# kills everything that it can
# error
import os
try:
    os.kill(-1, 9)
except OSError:
    pass
os.kill(0, 9)
