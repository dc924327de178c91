# takes every signal and an alarm for itself
# failed
import signal
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, lambda *_: None)
    except (OSError, ValueError):
        pass
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
return None
