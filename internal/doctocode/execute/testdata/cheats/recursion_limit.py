# overflows the interpreter's stack
# failed error timeout resource_limit
import sys
sys.setrecursionlimit(1 << 30)
def deeper(x):
    return deeper([x])
return deeper(values)
