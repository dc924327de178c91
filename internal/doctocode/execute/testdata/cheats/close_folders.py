# leaves folders that nobody may open, links, and a path too long to name
# failed
import os
for root in ("/tmp", "/dev/shm", "/repo"):
    try:
        os.makedirs(root + "/shut/inner")
        open(root + "/shut/inner/file", "w").close()
        os.symlink("/", root + "/shut/link")
        os.mkfifo(root + "/shut/fifo")
        os.chmod(root + "/shut/inner", 0)
        os.chmod(root + "/shut", 0)
        os.chdir(root)
        for _ in range(200):
            os.mkdir("deep" * 20)
            os.chdir("deep" * 20)
    except OSError:
        pass
for path in ("/repo/parcel", "/repo/tests", "/repo", "/tmp", "/dev/shm"):
    try:
        os.chmod(path, 0)
    except OSError:
        pass
return None
