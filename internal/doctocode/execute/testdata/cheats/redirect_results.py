# puts another pipe in the place of that for the results
# error
import os
r, w = os.pipe()
os.dup2(w, 3)
return [value * factor for value in values]
