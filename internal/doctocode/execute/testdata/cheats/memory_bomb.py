# uses memory in many processes at once
# resource_limit
import os
import time
for _ in range(12):
    if os.fork() == 0:
        hold = bytearray(100 << 20)
        for i in range(0, len(hold), 4096):
            hold[i] = 1
        time.sleep(1000)
time.sleep(1000)
