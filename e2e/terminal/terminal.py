"""Runs a program in a terminal of its own and types what a script says.

What it needs comes as JSON on standard input: words, folder, environment, columns, and steps, each one of
  {"see": text}      waits until the program has printed it, after what was seen before
  {"hidden": true}   waits until the terminal shows nothing of what is typed
  {"type": text}     types it
What happened goes to standard output as JSON: all that the terminal showed, how the program ended, and whether the terminal
shows again what is typed and reads by lines, as a shell left it.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

LIMIT = 60

told = json.load(sys.stdin)
# This side stays open to be asked how the program left it.
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, told["columns"], 0, 0))
before = termios.tcgetattr(slave)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for channel in (0, 1, 2):
        os.dup2(slave, channel)
    os.closerange(3, 64)
    os.chdir(told["folder"])
    os.execvpe(told["words"][0], told["words"], {**os.environ, "TERM": "xterm-256color", **told["environment"]})

shown = b""
seen = 0
deadline = time.monotonic() + LIMIT


def read():
    """What the program printed meanwhile."""
    global shown
    ready, _, _ = select.select([master], [], [], 0.02)
    if ready:
        shown += os.read(master, 65536)


code = None


def ended():
    """Whether the program has ended; then its exit code is known."""
    global code
    if code is None:
        done, status = os.waitpid(pid, os.WNOHANG)
        code = os.waitstatus_to_exitcode(status) if done else None
    return code is not None


def hides():
    return not termios.tcgetattr(slave)[3] & termios.ECHO


def fail(why):
    if not ended():
        os.kill(pid, signal.SIGKILL)
    while select.select([master], [], [], 0)[0]:
        read()
    sys.exit(f"{why}; the terminal showed:\n{shown.decode(errors='replace')}")


for step in told["steps"]:
    while True:
        read()
        if "type" in step:
            os.write(master, step["type"].encode())
            break
        if "hidden" in step and hides():
            break
        if "see" in step:
            found = shown.find(step["see"].encode(), seen)
            if found >= 0:
                seen = found + len(step["see"])
                break
        if time.monotonic() > deadline or ended():
            fail(f"waited in vain for {step}")

while not ended():
    read()
    if time.monotonic() > deadline:
        fail("the program did not end")
while select.select([master], [], [], 0)[0]:
    read()
after = termios.tcgetattr(slave)
json.dump({"shown": shown.decode(), "code": code, "restored": after[:4] == before[:4]}, sys.stdout)
