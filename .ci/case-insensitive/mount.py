#!/usr/bin/env python3
"""mount.py DIRECTORY COMMAND...: runs a command while DIRECTORY is a case-insensitive file system, like the usual one of macOS.

It finds a file by its name in any case, keeps the case of a new name, and has links and modes. Linux has such a file system only if its
kernel was built for it. This one needs `/dev/fuse`, root, `libfuse2` of Debian and `fusepy` of PyPI. Its files are in DIRECTORY.files.
"""
import errno
import os
import subprocess
import sys
import time
from pathlib import Path

from fuse import FUSE, FuseOSError, Operations


# UTIME_OMIT: the time to keep.
OMITTED = (1 << 30) - 2


class CaseInsensitive(Operations):
    """Each operation is that of the directory, at the place that a path really has."""

    use_ns = True
    flag_utime_omit_ok = 1

    def __init__(self, top):
        self.top = str(top)

    def __call__(self, operation, path, *arguments):
        if not hasattr(self, operation):
            raise FuseOSError(errno.ENOSYS)
        try:
            # A file that was removed has no path.
            return getattr(self, operation)(path and self.real(path), *arguments)
        except OSError as error:
            raise FuseOSError(error.errno) from error

    def real(self, path):
        """Returns the place of a path: names that exist in another case have that case. The last one can be new."""
        found = self.top
        if os.path.lexists(found + path):
            return found + path
        for name in path.split("/")[1:]:
            if not os.path.lexists(f"{found}/{name}"):
                known = os.listdir(found) if os.path.isdir(found) else []
                name = next((other for other in known if other.casefold() == name.casefold()), name)
            found = f"{found}/{name}"
        return found

    def rename(self, place, new):
        real = self.real(new)
        # A name can change its case.
        os.rename(place, os.path.join(os.path.dirname(real), os.path.basename(new)) if real == place else real)

    def symlink(self, place, text):
        os.symlink(text, place)

    def link(self, place, other):
        os.link(self.real(other), place, follow_symlinks=False)

    def getattr(self, place, file=None):
        found = os.fstat(file) if file else os.lstat(place)
        return {name: getattr(found, name) for name in ("st_ino", "st_mode", "st_nlink", "st_uid", "st_gid", "st_rdev", "st_size", "st_blocks")} | {
            name: getattr(found, f"{name}_ns") for name in ("st_atime", "st_mtime", "st_ctime")
        }

    def utimens(self, place, times=None):
        before = os.lstat(place)
        if times:
            times = tuple(old if time == OMITTED else time for time, old in zip(times, (before.st_atime_ns, before.st_mtime_ns)))
        os.utime(place, ns=times, follow_symlinks=False)

    def readdir(self, place, file):
        return [".", "..", *os.listdir(place)]

    def statfs(self, place):
        found = os.statvfs(place)
        return {name: getattr(found, name) for name in dir(found) if name.startswith("f_") and name != "f_fsid"}

    def chown(self, place, user, group):
        os.chown(place, user, group, follow_symlinks=False)

    def create(self, place, mode, info=None):
        return os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def open(self, place, flags):
        return os.open(place, flags & ~(os.O_APPEND | os.O_NOFOLLOW))

    def read(self, place, size, offset, file):
        return os.pread(file, size, offset)

    def write(self, place, content, offset, file):
        return os.pwrite(file, content, offset)

    def truncate(self, place, length, file=None):
        os.truncate(file or place, length)

    def release(self, place, file):
        os.close(file)

    def flush(self, place, file):
        pass

    def fsync(self, place, only_data, file):
        pass

    def access(self, place, mode):
        pass

    def mknod(self, place, mode, device):
        os.mknod(place, mode, device)

    readlink = staticmethod(os.readlink)
    mkdir = staticmethod(os.mkdir)
    rmdir = staticmethod(os.rmdir)
    unlink = staticmethod(os.unlink)
    chmod = staticmethod(os.chmod)
    # No extended attributes.
    getxattr = None


def main():
    top, command = Path(sys.argv[1]).resolve(), sys.argv[2:]
    files = top.with_name(f"{top.name}.files")
    for directory in (top, files):
        directory.mkdir(parents=True, exist_ok=True)
    options = {"entry_timeout": 0, "attr_timeout": 0, "negative_timeout": 0, "use_ino": True, "hard_remove": True, "default_permissions": True, "allow_other": True, "dev": True}
    if os.fork() == 0:
        os.umask(0)
        FUSE(CaseInsensitive(files), str(top), foreground=True, **options)
        os._exit(0)
    try:
        while not os.path.ismount(top):
            time.sleep(0.05)
        sys.exit(subprocess.run(command).returncode)
    finally:
        subprocess.run(["umount", "--lazy", top], check=True)


if __name__ == "__main__":
    main()
