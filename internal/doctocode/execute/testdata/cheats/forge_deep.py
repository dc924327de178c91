# sends a record nested too deeply to parse
# tampered
import gc
import os
for o in gc.get_objects():
    if type(o).__name__ == "Writer":
        os.write(3, (o.nonce + "[" * 100000 + "\n").encode())
return None
