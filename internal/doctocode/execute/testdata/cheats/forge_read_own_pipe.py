# reads the nonce out of its own pipe
# tampered error
import os
back = os.open("/proc/self/fd/3", os.O_RDONLY | os.O_NONBLOCK)
try:
    nonce = os.read(back, 16)
except BlockingIOError:
    nonce = b"0" * 16
os.write(3, nonce + b'{"kind": "end"}\n')
os._exit(0)
