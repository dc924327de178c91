# kills everything that it can
# error
import os
os.kill(-1, 9)
os.kill(0, 9)
