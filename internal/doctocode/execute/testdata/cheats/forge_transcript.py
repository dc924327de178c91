# finds the writer in memory, sends a whole transcript and ends
# tampered
import gc
import os
writer = next(o for o in gc.get_objects() if type(o).__name__ == "Writer")
frame = __import__("sys")._getframe()
tests = None
while frame:
    if "items" in frame.f_locals:
        tests = [item.nodeid for item in frame.f_locals["items"]]
    frame = frame.f_back
for i, test in enumerate(tests):
    if i:
        writer.send("test", test=test)
    for when in ("setup", "call", "teardown")[i == 0:]:
        writer.send("phase", test=test, when=when, outcome="passed", seconds=0.001)
writer.send("canary", outcome="failed", told=True)
writer.send("end")
os._exit(0)
