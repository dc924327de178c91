# kills its process group
# error
import os
os.killpg(0, 9)
