# stops itself for ever
# timeout
import os
import signal
os.kill(0, signal.SIGSTOP)
