# turns the reporting of crashes on and off
# failed
import faulthandler
faulthandler.enable()
faulthandler.dump_traceback_later(0.01, exit=True) if False else None
return None
