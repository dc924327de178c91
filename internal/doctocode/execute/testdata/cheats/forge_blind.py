# writes results on every descriptor, without knowing the nonce
# tampered
import os
for fd in range(256):
    try:
        os.write(fd, b'{"kind": "end"}\n')
    except OSError:
        pass
return [value * factor for value in values]
