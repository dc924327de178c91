# leaves threads running that would report for it
# failed
import threading
def wait():
    while True:
        pass
threading.Thread(target=wait, daemon=True).start()
return None
