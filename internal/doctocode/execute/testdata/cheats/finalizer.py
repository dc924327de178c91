# raises and exits while objects are deleted
# failed error
class Late:
    def __del__(self):
        raise SystemExit(0)
Late()
return None
