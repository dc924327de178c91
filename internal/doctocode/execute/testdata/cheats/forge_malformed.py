# sends records that could break whoever reads them
# tampered
import gc
for o in gc.get_objects():
    if type(o).__name__ == "Writer":
        o.send("phase", test=["a"], when={}, outcome=None, seconds="long")
return None
