# leaves a daemon behind that holds the pipes and goes on writing
# failed tampered
import os
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            try:
                os.write(1, b"still here\n")
                with open("/tmp/daemon", "a") as f:
                    f.write("x")
            except OSError:
                pass
            time.sleep(0.01)
    os._exit(0)
return None
