"""Runs a program in a terminal of its own and types what a script says.

Its input is JSON on standard input: words, folder, environment, columns, and steps, each one of
  {"see": text}      waits until the program has printed it, after what was seen before
  {"hidden": true}   waits until the terminal shows nothing of what is typed
  {"type": text}     types it
The result is JSON on standard output: all that the terminal showed, the program's exit code, and whether the terminal shows
again what is typed and reads by lines, as a shell left it.
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

# Seconds for the whole session; the caller waits longer than that.
LIMIT = 180

session = json.load(sys.stdin)
# This side stays open until the program has ended, to read in which state the program left the terminal.
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, session["columns"], 0, 0))
before = termios.tcgetattr(slave)
pid = os.fork()
if pid == 0:
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for channel in (0, 1, 2):
            os.dup2(slave, channel)
        os.closerange(3, 64)
        os.chdir(session["folder"])
        environment = {**os.environ, "TERM": "xterm-256color", **session["environment"]}
        os.execvpe(session["words"][0], session["words"], environment)
    except OSError as error:
        print(f"{session['words'][0]} cannot be started: {error}", flush=True)
    finally:
        os._exit(127)

shown = b""
seen = 0
deadline = time.monotonic() + LIMIT
code = None
after = None


def read(seconds):
    """Waits for output at most so long and takes it; whether the program can still print."""
    global shown
    if select.select([master], [], [], max(0, seconds))[0]:
        try:
            part = os.read(master, 65536)
        except OSError:
            # Linux says so behind the last byte once no process has the terminal open.
            return False
        shown += part
        return part != b""
    return True


def ended():
    """Whether the program has ended; from then on its exit code, its last output and the terminal's state are known."""
    global code, after
    if code is None:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            after = termios.tcgetattr(slave)
            os.close(slave)
            # The kernel hands on the last output later than it reports the end.
            while time.monotonic() < deadline and read(deadline - time.monotonic()):
                pass
    return code is not None


def hides():
    return code is None and not termios.tcgetattr(slave)[3] & termios.ECHO


def fail(reason):
    if not ended():
        # The program leads a session: its children get the signal too, unless they have left its process group.
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    sys.exit(f"{reason}; the terminal showed:\n{shown.decode(errors='replace')}")


def fulfilled(step):
    """Whether the terminal is as the step waits for; types at once."""
    global seen
    if "type" in step:
        if code is None:
            os.write(master, step["type"].encode())
        return code is None
    if "hidden" in step:
        return hides()
    text = step["see"].encode()
    found = shown.find(text, seen)
    if found >= 0:
        seen = found + len(text)
    return found >= 0


for step in session["steps"]:
    while True:
        # In this order: what a program printed before its end is read before its end counts.
        over = ended()
        if not over:
            read(0.02)
        if fulfilled(step):
            break
        if over:
            fail(f"the program ended before {step}")
        if time.monotonic() > deadline:
            fail(f"waited in vain for {step}")

while not ended():
    read(0.02)
    if time.monotonic() > deadline:
        fail("the program did not end")
result = {"shown": shown.decode(errors="replace"), "code": code, "restored": after[:4] == before[:4]}
json.dump(result, sys.stdout)
