"""Takes the network away from this process and everything that it starts."""

import ctypes
import fcntl
import os
import socket
import struct

NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # flags of unshare(2)
SET_FLAGS, UP_AND_RUNNING = 0x8914, 0x41  # SIOCSIFFLAGS; IFF_UP and IFF_RUNNING


def cut():
    """Moves this process into a network of its own, with loopback alone. Returns whether the system allows that."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (AttributeError, OSError):
        return False
    user, group = os.getuid(), os.getgid()
    if unshare(NEW_NETWORK) != 0:
        if unshare(NEW_USER | NEW_NETWORK) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh", b"lo", UP_AND_RUNNING))
    return True
