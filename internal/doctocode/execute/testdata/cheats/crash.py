# crashes the interpreter
# error
import ctypes
ctypes.string_at(0)
