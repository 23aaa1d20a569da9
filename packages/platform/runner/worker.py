"""A worker for Python tools. It runs inside the sandbox and reads lines of JSON from standard input.

The output of the tool goes to the log. Answers have a descriptor of their own, and each starts
with a token that the tool does not know.
"""

import asyncio
import base64
import gc
import importlib
import inspect
import io
import json
import mmap
import os
import shutil
import signal
import sys
import threading
import time
import traceback
import types

MAX_OUTPUT_CHARACTERS = 20_000
MAX_LOG_CHARACTERS = 64 * 1024
MAX_STATUS_EVENTS = 100
MAX_STATUS_CHARACTERS = 16 * 1024
MAX_MESSAGE_CHARACTERS = 10_000
MAX_LINES = 50
MAX_LINE_CHARACTERS = 500
HIDDEN = "•••"

ANSWERS = 3
TOOL_NAME = "tool"


class UserVariables:
    """The variables in the user's profile by name. Only `get` returns sensitive values."""

    __slots__ = ("__plain", "__sensitive")

    def __init__(self, nonsensitive=None, sensitive=None):
        self.__plain = dict(nonsensitive or {})
        self.__sensitive = dict(sensitive or {})

    def get(self, name, default=None):
        if name in self.__sensitive:
            return self.__sensitive[name]
        return self.__plain.get(name, default)

    def __getitem__(self, name):
        if name not in self:
            raise KeyError(name)
        return self.get(name)

    def __contains__(self, name):
        return name in self.__sensitive or name in self.__plain

    def has(self, name):
        return name in self

    def keys(self):
        return [*self.__plain, *(name for name in self.__sensitive if name not in self.__plain)]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __repr__(self):
        shown = {name: HIDDEN if name in self.__sensitive else self.__plain[name] for name in self}
        return f"UserVariables({shown!r})"

    __str__ = __repr__

    def __reduce__(self):
        raise TypeError("User variables can't be pickled or copied.")


class ReadOnly(dict):
    """A read-only mapping whose entries are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def _refuse(self, *_args, **_named):
        raise TypeError("This mapping is read-only.")

    __setattr__ = __delattr__ = __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = __ior__ = _refuse


class Metadata(ReadOnly):
    """Metadata of an invocation. Keys in JavaScript's spelling work as well."""

    def __missing__(self, name):
        spelt = "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)
        if spelt == name:
            raise KeyError(name)
        return self[spelt]


class Done:
    """The result of `send_status_event`. Awaiting it is optional and does nothing."""

    def __await__(self):
        return iter(())


class BadOutput(Exception):
    """A fault in a tool's output, not an exception of the tool."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Log(io.TextIOBase):
    """Receives the tool's output, up to a limit."""

    def __init__(self, worker):
        self._worker = worker

    def writable(self):
        return True

    def write(self, text):
        self._worker.log(str(text))
        return len(text)


class Worker:
    def __init__(self):
        self._token = None
        self._lock = threading.Lock()
        self._run = None
        self._config = ReadOnly()
        self._number = None
        self._left = {"log": 0, "status": 0}
        self._directory = os.path.join(os.environ.get("HOME", "/tmp"), TOOL_NAME)

    def send(self, message):
        line = (self._token + json.dumps(message, ensure_ascii=True) + "\n").encode()
        with self._lock:
            while line:
                line = line[os.write(ANSWERS, line) :]

    def log(self, text):
        number, left = self._number, self._left
        if number is None or left["log"] <= 0 or not text:
            return
        cut = text[: left["log"]]
        left["log"] -= len(text)
        self.send({"kind": "log", "number": number, "text": cut})

    def serve(self, lines):
        leftovers = None
        load_error = None
        is_reused = False
        calls = 0
        for line in lines:
            message = json.loads(line)
            kind = message["kind"]
            if kind == "hello":
                self._token = message["token"]
                self.send({"kind": "ready"})
                continue
            if kind == "load":
                is_reused = message["isReused"]
                try:
                    self.load(message["artifact"])
                except BaseException as error:  # noqa: BLE001
                    load_error = error
                leftovers = Leftovers()
                # Without its marks, forks share the memory of what was loaded.
                gc.freeze()
                continue
            if "config" in message:
                self._config = ReadOnly(message["config"])
            if "lease" in message and time.monotonic() * 1000 >= message["lease"]:
                self.send({"kind": "returned", "number": message["number"]})
                continue
            if is_reused or load_error is not None:
                self.run(message, load_error, calls)
            else:
                self.run_in_fork(message, calls)
            calls += 1
            left = "an exception" if load_error is not None else leftovers.clear()
            if left is not None:
                self.send({"kind": "unclean", "reason": left})
                # The server ends this sandbox. Begin nothing more.
                for _ in lines:
                    pass

    def load(self, artifact):
        for path, content in artifact["files"].items():
            target = os.path.join(self._directory, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(base64.b64decode(content))
        sys.path.insert(0, self._directory)
        provide_scaffold()
        module = importlib.import_module(artifact["module"])
        run = getattr(module, "run_tool", None)
        if not callable(run):
            raise TypeError(f"{artifact['module']} has no function run_tool. Define one.")
        self._run = run

    def run_in_fork(self, message, calls):
        """Runs it in a copy of this process, so that nothing it changes is there for the next."""
        has_answered = mmap.mmap(-1, 1)
        child = os.fork()
        if child == 0:
            try:
                # The next invocations arrive here.
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                self.run(message, None, calls)
                has_answered[0] = 1
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if not has_answered[0]:
            end_like(status)
        has_answered.close()

    def run(self, message, load_error, calls):
        number = message["number"]
        self._left = {
            "log": 0 if message.get("isQuiet") else MAX_LOG_CHARACTERS,
            "status": MAX_STATUS_EVENTS,
        }
        self._number = number
        started = time.monotonic()
        try:
            if load_error is not None:
                raise load_error
            answer = {"kind": "result", "output": to_text(self.call(message))}
        except BaseException as error:  # noqa: BLE001
            answer = {"kind": "failure", "failure": describe(error, self._directory)}
        self._number = None
        answer["number"] = number
        answer["ms"] = (time.monotonic() - started) * 1000
        if calls % 64 == 0:
            answer["residentMb"] = read_resident()
        self.send(answer)

    def call(self, message):
        number = message["number"]

        def send_status_event(event):
            if not isinstance(event, (str, dict, list)):
                raise TypeError("A status event must be a string or an object.")
            if self._number == number and self._left["status"] > 0:
                self._left["status"] -= 1
                if len(json.dumps(event)) <= MAX_STATUS_CHARACTERS:
                    self.send({"kind": "status", "number": number, "event": event})
            return Done()

        output = self._run(
            message["input"],
            Metadata(
                invocation_mode=message["mode"],
                tool_version=message["toolVersion"],
                invocation_id=message["invocationId"],
            ),
            self._config,
            message.get("conversation"),
            send_status_event,
            UserVariables(message.get("userVariables"), message.get("sensitiveUserVariables")),
        )
        return asyncio.run(wait_for(output)) if inspect.isawaitable(output) else output


def end_like(status):
    """Ends this process as its child did."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


async def wait_for(output):
    return await output


def provide_scaffold():
    """Lets tools import the type of their user variables from the scaffold's package."""
    try:
        package = importlib.import_module("amigo_tool_scaffold")
    except ImportError:
        package = types.ModuleType("amigo_tool_scaffold")
        package.__path__ = []
        sys.modules["amigo_tool_scaffold"] = package
    module = types.ModuleType("amigo_tool_scaffold.user_variables")
    module.UserVariables = UserVariables
    UserVariables.__module__ = module.__name__
    package.user_variables = module
    sys.modules[module.__name__] = module


def to_text(output):
    if isinstance(output, str):
        text = output
    else:
        try:
            text = json.dumps(output, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise BadOutput("InvalidOutput", explain_output(str(error))) from None
    if len(text) > MAX_OUTPUT_CHARACTERS:
        raise BadOutput(
            "OutputTooLarge",
            f"The tool's output has more than {MAX_OUTPUT_CHARACTERS} characters."
            " Return less, such as a summary or one page.",
        )
    return text


def explain_output(reason):
    return (
        f"The tool's output can't be written as JSON: {reason}."
        " Return a string or a JSON value."
    )


def describe(error, directory):
    name = error.kind if isinstance(error, BadOutput) else type(error).__name__
    if isinstance(error, SystemExit):
        message = f"The tool called exit with {error.code!r}. Return or raise instead."
    else:
        try:
            message = str(error)
        except Exception:  # noqa: BLE001
            message = "The raised exception has no message."
    message = message[:MAX_MESSAGE_CHARACTERS]
    prefix = directory + os.sep
    stack = []
    if not isinstance(error, BadOutput):
        for frame in traceback.extract_tb(error.__traceback__):
            # Paths of the server are private.
            if frame.filename.startswith(prefix):
                place = frame.filename[len(prefix) :]
                stack.append(f'  File "{place}", line {frame.lineno}, in {frame.name}')
                if frame.line:
                    stack.append(f"    {frame.line}")
        if isinstance(error, SyntaxError) and (error.filename or "").startswith(prefix):
            stack.append(f'  File "{error.filename[len(prefix) :]}", line {error.lineno}')
            message = message.replace(prefix, "")
    first = (message.splitlines() or [""])[0]
    lines = [f"{name}: {first}", *stack[:MAX_LINES]]
    return {"type": name, "message": message, "stack": [cut(line) for line in lines]}


def cut(line):
    return line[:MAX_LINE_CHARACTERS]


def read_resident():
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
    except OSError:
        return 0


class Leftovers:
    """Detects what an invocation left behind."""

    def __init__(self):
        places = ["/tmp", "/var/tmp", "/dev/shm", os.environ.get("HOME", "/tmp")]
        self._directories = {
            path: (os.stat(path).st_size, set(os.listdir(path)))
            for path in dict.fromkeys(places)
            if os.path.isdir(path)
        }
        self._threads = threading.active_count()
        self._last = self._read_last()
        self._processes = self._list_processes()

    def clear(self):
        """Removes leftovers. Returns what could not be removed; then nothing else may run here."""
        for path, (size, kept) in self._directories.items():
            if os.stat(path).st_size == size:
                continue
            for name in set(os.listdir(path)) - kept:
                target = os.path.join(path, name)
                if os.path.isdir(target) and not os.path.islink(target):
                    shutil.rmtree(target, ignore_errors=True)
                else:
                    os.unlink(target)
            if os.stat(path).st_size != size:
                return "files that can't be removed"
        if threading.active_count() > self._threads:
            return "threads"
        last = self._read_last()
        if last != self._last:
            self._last = last
            if self._list_processes() - self._processes:
                return "processes"
        return None

    @staticmethod
    def _read_last():
        # In a sandbox the last process ID is the sandbox's own.
        try:
            with open("/proc/loadavg", encoding="ascii") as file:
                return file.read().split()[-1]
        except OSError:
            return ""

    @staticmethod
    def _list_processes():
        try:
            return {name for name in os.listdir("/proc") if name.isdigit()}
        except OSError:
            return set()


def main():
    for name in [name for name, value in os.environ.items() if value == ""]:
        del os.environ[name]
    sys.dont_write_bytecode = True
    lines = sys.stdin
    worker = Worker()
    sys.stdin = io.StringIO()
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Log(worker)
    worker.serve(lines)


main()
