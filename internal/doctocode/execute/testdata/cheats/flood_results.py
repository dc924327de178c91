# fills the pipe that the results go to
# tampered
import os
while True:
    os.write(3, b"x" * 65535 + b"\n")
