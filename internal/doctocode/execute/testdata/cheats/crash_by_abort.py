# aborts it
# error
import os
os.abort()
