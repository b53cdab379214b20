"""The image of the Dockerfile, built and run: with Docker if its daemon answers, else with buildah, as root.

Without Docker, a base image made of Debian's packages has the name of the one in the Dockerfile. Its `apk` accepts what the Dockerfile asks for,
and its compiler is the one of this machine. So the program has another C library there, and nothing is optimized.
"""
import json
import os
import platform
import re
import shutil
import subprocess
import sys

# With a named target, the flags are not for procedural macros, which cannot be static.
ENVIRONMENT = {
    "PATH": "/usr/local/rust/bin:/usr/local/bin:/usr/bin:/bin", "CARGO_HOME": "/cargo", "CARGO_BUILD_TARGET": f"{os.uname().machine}-unknown-linux-gnu",
    "RUSTFLAGS": "-Ctarget-feature=+crt-static", "CARGO_PROFILE_PUBLISHED_OPT_LEVEL": "0", "CARGO_PROFILE_PUBLISHED_LTO": "off",
    "CARGO_PROFILE_PUBLISHED_CODEGEN_UNITS": "16",
}
APK = '#!/bin/sh\n[ "$1 $2" = "add --no-cache" ]\n'


def has_docker():
    return bool(shutil.which("docker")) and subprocess.run(["docker", "info"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def base_files(directory, do):
    """Makes the files of the base image, once."""
    if not (directory / "apk").is_file():
        if os.geteuid() != 0:
            sys.exit("the container needs Docker, or root for debootstrap and buildah")
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        release = platform.freedesktop_os_release()["VERSION_CODENAME"]
        do("debootstrap", "--variant=minbase", "--include=gcc,libc6-dev", release, directory / "files")
        (directory / "apk").write_text(APK)
        (directory / "apk").chmod(0o755)
    return directory


class Container:
    def __init__(self, stranger):
        self.stranger = stranger
        self.of_docker = has_docker()

    def build(self):
        """Returns the command that runs the program in the image, in which it must refuse the repository of another user."""
        build, run = (self.build_with_docker, self.run_with_docker) if self.of_docker else (self.build_with_buildah, self.run_with_buildah)
        build()
        user, other = f"{os.getuid()}:{os.getgid()}", "4711:4711"
        self.stranger.do(*run(other), "check", status=2)
        return run(user)

    def build_with_docker(self):
        do, home = self.stranger.do, self.stranger.home
        do("docker", "build", "--quiet", "--tag", "skilltree", self.stranger.release)
        # The images are not in the home directory, where the licenses must be.
        container = do("docker", "create", "skilltree").strip()
        do("docker", "cp", f"{container}:/LICENSE-THIRD-PARTY", home)
        do("docker", "rm", container)

    def run_with_docker(self, user):
        return ["docker", "run", "--rm", "--user", user, "--volume", f"{self.stranger.project}:/repository:ro", "skilltree"]

    def buildah(self, *arguments):
        return ["buildah", "--root", self.stranger.home / "images", "--runroot", self.stranger.home / "run", "--storage-driver", "vfs", *arguments]

    def build_with_buildah(self):
        do, home, release = self.stranger.do, self.stranger.home, self.stranger.release
        base = base_files(self.stranger.base_image, do)
        name = re.match(r"(?:#.*\n)*FROM (\S+) AS build\n", (release / "Dockerfile").read_text())[1]
        variables = "".join(f"ENV {name}={value}\n" for name, value in ENVIRONMENT.items())
        (home / "base").write_text(f"FROM scratch\nCOPY files /\nCOPY apk /usr/local/bin/apk\n{variables}")
        do(*self.buildah("build", "--isolation", "chroot", "--file", home / "base", "--tag", f"docker.io/library/{name}", base))
        rust = do("rustc", "--print", "sysroot").strip()
        volumes = ["--volume", f"{rust}:/usr/local/rust:ro", "--volume", "/etc/ssl/certs:/etc/ssl/certs:ro"]
        do(*self.buildah("build", "--isolation", "chroot", "--pull-never", *volumes, "--tag", "skilltree", release))
        self.container = do(*self.buildah("from", "--pull-never", "localhost/skilltree")).strip()
        self.entry = json.loads(do(*self.buildah("inspect", self.container)))["OCIv1"]["config"]["Entrypoint"]

    def run_with_buildah(self, user):
        volume = f"{self.stranger.project}:/repository:ro"
        return self.buildah("run", "--isolation", "chroot", "--user", user, "--volume", volume, self.container, "--", *self.entry)
