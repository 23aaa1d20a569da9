"""A worker for Python tools. It runs inside the sandbox and reads lines of JSON from standard input.

The output of the tool goes to the log. Answers have a descriptor of their own, and each starts
with a token that the tool does not know.
"""

import base64
import builtins
import contextvars
import gc
import importlib
import inspect
import io
import json
import marshal
import math
import mmap
import os
import re
import shutil
import signal
import sys
import threading
import time
import traceback
import types

MAX_OUTPUT_CHARACTERS = 20_000
MAX_START_CHARACTERS = 32 * 1024
MAX_END_CHARACTERS = 32 * 1024
END_INTERVAL_SECONDS = 0.25
MAX_STATUS_EVENTS = 100
MAX_STATUS_CHARACTERS = 16 * 1024
MAX_MESSAGE_CHARACTERS = 10_000
MAX_LINES = 50
MAX_LINE_CHARACTERS = 500
MAX_NAME_CHARACTERS = 200
MAX_QUESTION_CHARACTERS = 10_000
MAX_SCHEMA_CHARACTERS = 64 * 1024
# Without a journal a tool holds its process while it sleeps.
MAX_PLAIN_SLEEP_MS = 5_000
DURATIONS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
HIDDEN = "•••"

ANSWERS = 3
CHUNK_BYTES = 64 * 1024
TOOL_NAME = "tool"
REHEARSAL = json.dumps(
    {"number": 0, "invocationId": "", "toolVersion": "", "mode": "", "input": {}}
)


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

    def __init__(self, worker, stream):
        self._worker = worker
        self._stream = stream

    def writable(self):
        return True

    def write(self, text):
        self._worker.log(self._stream, str(text))
        return len(text)


class Lines:
    """The lines of standard input."""

    def __init__(self):
        self.unread = b""

    def read(self):
        """Returns the next line, or `None` at the end."""
        content = bytearray(self.unread)
        searched = 0
        while (end := content.find(b"\n", searched)) < 0:
            searched = len(content)
            chunk = os.read(0, CHUNK_BYTES)
            if not chunk:
                return None
            content += chunk
        self.unread = bytes(content[end + 1 :])
        return bytes(content[:end])


class Worker:
    def __init__(self):
        self._token = None
        self._lines = Lines()
        self._lock = threading.Lock()
        self._run = None
        self._config = {}
        self._number = None
        self._status_left = 0
        self._printed = {}
        self._end_sent_at = 0
        self._durable = None
        self._has_answered = None
        # Collecting garbage may print while something is printed.
        self._log_lock = threading.RLock()
        self._directory = os.path.join(os.environ.get("HOME", "/tmp"), TOOL_NAME)

    def send(self, message):
        line = self.to_line(message)
        with self._lock:
            write_all(ANSWERS, line)

    def to_line(self, message):
        return (self._token + json.dumps(message, ensure_ascii=True) + "\n").encode()

    def log(self, stream, text):
        """Forwards the start of the output at once, and of the rest only the end, now and then."""
        with self._log_lock:
            number = self._number
            if number is None or not text or self.is_replaying():
                return
            printed = self._printed[stream]
            left = printed["left"]
            if left > 0:
                start = text[:left]
                self.send({"kind": "log", "number": number, "stream": stream, "text": start})
                printed["left"] = max(0, left - len(text))
            if len(text) <= left:
                return
            printed["end"].append(text[left:])
            printed["size"] += len(text) - left
            if printed["size"] > 2 * MAX_END_CHARACTERS:
                shorten(printed)
            now = time.monotonic()
            if now - self._end_sent_at >= END_INTERVAL_SECONDS:
                self._end_sent_at = now
                self.flush_log()

    def is_replaying(self):
        """Whether the tool repeats what it did before. Then nothing that it says is new."""
        return self._durable is not None and self._durable.is_replaying()

    def flush_log(self):
        """Sends what is held back of the output. The caller holds the lock."""
        for stream, printed in self._printed.items():
            if printed["size"] == 0:
                continue
            shorten(printed)
            message = {"kind": "log", "number": self._number, "stream": stream}
            self.send({**message, "text": printed["end"][0], "skipped": printed["skipped"]})
            printed.update(end=[], size=0, skipped=0)

    def serve(self):
        self._token = json.loads(self._lines.read())["token"]
        self.send({"kind": "ready"})
        line = self._lines.read()
        if line is None:
            return
        message = json.loads(line)
        is_reused = message["isReused"]
        explain_lookups(message.get("refusal"))
        load_error = None
        try:
            self.load(message["artifact"])
        except BaseException as error:  # noqa: BLE001
            load_error = error
        del line, message
        leftovers = Leftovers()
        # Without its marks, forks share the memory of what was loaded.
        gc.freeze()
        calls = 0
        while True:
            if not is_reused and load_error is None:
                self.run_in_fork(calls)
            elif (message := self.take()) is not None:
                if "journal" in message and load_error is None:
                    self.run_durable_in_fork(message, calls)
                else:
                    self.run(message, load_error, calls)
            else:
                return
            calls += 1
            left = "an exception" if load_error is not None else leftovers.clear()
            if left is not None:
                self.send({"kind": "unclean", "reason": left})
                # The server ends this sandbox. Begin nothing more.
                while self._lines.read() is not None:
                    pass
                return

    def take(self):
        """Waits for an invocation that may still begin. Returns `None` at the end."""
        while (line := self._lines.read()) is not None:
            message = json.loads(line)
            self._config = message.get("config", self._config)
            if "lease" not in message or time.monotonic() * 1000 < message["lease"]:
                return message
            self.send({"kind": "returned", "number": message["number"]})
        return None

    def load(self, artifact):
        for path, content in artifact["files"].items():
            target = os.path.join(self._directory, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            source = base64.b64decode(content)
            with open(target, "wb") as file:
                file.write(source)
            # It takes long to load and makes every fork slower, so only tools that need it have it.
            if b"async def" in source:
                importlib.import_module("asyncio")
        sys.path.insert(0, self._directory)
        provide_scaffold(Waiting(self))
        module = importlib.import_module(artifact["module"])
        run = getattr(module, "run_tool", None)
        if not callable(run):
            raise TypeError(f"{artifact['module']} has no function run_tool. Define one.")
        self._run = run

    def run_in_fork(self, calls):
        """Runs the next invocation in a copy of this process, so that nothing it changes stays here.

        The copy is made before the invocation arrives: making it takes longer than most tools. It reads
        the invocation itself, so this process, and with it the next copy, keeps nothing of it.
        """
        source, target = os.pipe()
        has_answered = mmap.mmap(-1, 1)
        child = os.fork()
        if child == 0:
            try:
                os.close(source)
                self.rehearse()
                message = self.take()
                if message is not None:
                    write_all(target, marshal.dumps((self._lines.unread, self._config)))
                    os.close(target)
                    # The invocations that follow are for other copies.
                    self._lines.unread = b""
                    self._has_answered = has_answered
                    # The server writes no invocations ahead to a worker with a journal.
                    if "journal" not in message:
                        nothing = os.open(os.devnull, os.O_RDONLY)
                        os.dup2(nothing, 0)
                        os.close(nothing)
                    self.run(message, None, calls)
                    has_answered[0] = 1
            finally:
                os._exit(0)
        os.close(target)
        with open(source, "rb") as pipe:
            kept = pipe.read()
        _, status = os.waitpid(child, 0)
        if not has_answered[0]:
            end_like(status)
        has_answered.close()
        self._lines.unread, self._config = marshal.loads(kept)

    def run_durable_in_fork(self, message, calls):
        """Runs an invocation that may wait in a copy of this process, which ends when it waits."""
        has_answered = mmap.mmap(-1, 1)
        child = os.fork()
        if child == 0:
            try:
                self._has_answered = has_answered
                self.run(message, None, calls)
                has_answered[0] = 1
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if not has_answered[0]:
            end_like(status)
        has_answered.close()

    def end_now(self, answer):
        """Sends the answer and ends this copy, without letting the tool do anything more."""
        with self._log_lock:
            self.flush_log()
            number, self._number = self._number, None
        ms = (time.monotonic() - self._started) * 1000
        self.send({**answer, "number": number, "ms": ms})
        self._has_answered[0] = 1
        os._exit(0)

    def ask_server(self, message):
        """Sends a message about a step and waits until the server has recorded it."""
        self.send({**message, "number": self._number})
        line = self._lines.read()
        if line is None:
            os._exit(0)
        return json.loads(line)

    def rehearse(self):
        """Does once what each invocation does, so that the memory it changes is copied by then."""
        run = self._run
        self._run = no_async_tool if inspect.iscoroutinefunction(run) else no_tool
        self.to_line(self.answer(json.loads(REHEARSAL), None, 1))
        self._run = run

    def run(self, message, load_error, calls):
        self.send(self.answer(message, load_error, calls))

    def answer(self, message, load_error, calls):
        """Runs an invocation and returns the answer."""
        number = message["number"]
        self._status_left = MAX_STATUS_EVENTS
        self._printed = {stream: new_printed() for stream in ("stdout", "stderr")}
        self._number = number
        self._started = started = time.monotonic()
        self._durable = Durable(self, message["journal"]) if "journal" in message else None
        try:
            if load_error is not None:
                raise load_error
            output = to_text(self.call(message))
            if self._durable is not None:
                self._durable.require_complete()
            answer = {"kind": "result", "output": output}
        except BaseException as error:  # noqa: BLE001
            answer = {"kind": "failure", "failure": describe(error, self._directory)}
        with self._log_lock:
            self.flush_log()
            self._number = None
        answer["number"] = number
        answer["ms"] = (time.monotonic() - started) * 1000
        if calls % 64 == 0:
            answer["residentMb"] = read_resident()
        return answer

    def call(self, message):
        number = message["number"]

        def send_status_event(event):
            if not isinstance(event, (str, dict, list)):
                raise TypeError("A status event must be a string or an object.")
            if self._number == number and self._status_left > 0 and not self.is_replaying():
                self._status_left -= 1
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
            ReadOnly(self._config),
            message.get("conversation"),
            send_status_event,
            UserVariables(message.get("userVariables"), message.get("sensitiveUserVariables")),
        )
        if not inspect.isawaitable(output):
            return output
        import asyncio

        return asyncio.run(wait_for(output))


class StepError(Exception):
    """An error of a step. Its class has the name of the original error."""


class MustBeAsynchronous(Exception):
    """The invocation can't wait, because its caller waits for it."""

    def __init__(self, what):
        super().__init__(
            f"A synchronous invocation can't {what}. Invoke the tool with the header"
            " Prefer: respond-async, or haft tool invoke --async."
        )


class Durable:
    """The calls of `step`, `sleep` and `ask` of one invocation, with what is recorded of them."""

    def __init__(self, worker, journal):
        self._worker = worker
        self._entries = {entry["position"]: entry for entry in journal["entries"]}
        self._undelivered = {
            position for position, entry in self._entries.items() if "ordinal" in entry
        }
        self._limits = journal["limits"]
        self._count = 0

    def is_replaying(self):
        return len(self._undelivered) > 0

    def take(self, kind, name):
        """Returns the number of a new call, and what is recorded of it."""
        position = self._count
        if position >= self._limits["maxSteps"]:
            most = self._limits["maxSteps"]
            self.fail("TooManySteps", f"An invocation can have {most} steps at most.")
        self._count += 1
        entry = self._entries.get(position)
        if entry is not None and (entry["kind"], entry["name"]) != (kind, name):
            self.fail("Diverged", explain_divergence(entry, f"called {show_call(kind, name)}"))
        return position, entry

    def fail(self, kind, message):
        failure = {"type": kind, "message": message, "stack": [f"{kind}: {message}"]}
        self._worker.end_now({"kind": "failure", "failure": failure})

    def require_complete(self):
        missed = [entry for at, entry in self._entries.items() if at >= self._count]
        if missed:
            self.fail("Diverged", explain_divergence(missed[0], "ended"))

    def begin(self, name, repeatable):
        """Returns a function that ends the step with its result, or `None` and its recorded result."""
        position, entry = self.take("step", name)
        if entry is not None:
            return None, self.deliver(position, entry)
        begin = {"kind": "step-begin", "position": position, "name": name}
        self._worker.ask_server({**begin, "isRepeatable": bool(repeatable)})

        def end(result):
            text = json.dumps(result)
            if len(text) > self._limits["maxResultCharacters"] + 16:
                result = {"error": {"type": "ResultTooLarge", "message": too_large(self._limits)}}
            message = {"kind": "step-end", "position": position, "result": result}
            return self._worker.ask_server(message).get("result", result)

        return end, None

    def wait(self, kind, details):
        """Returns the recorded result of a wait. Without one, this copy ends here."""
        position, entry = self.take(kind, kind)
        if entry is not None and "ordinal" in entry:
            return self.deliver(position, entry)
        wait = {"kind": kind, "position": position, **details}
        self._worker.end_now({"kind": "suspended", "waits": [wait]})

    def deliver(self, position, entry):
        self._undelivered.discard(position)
        return entry["result"]


class Waiting:
    """The module `amigo_tool_scaffold.waiting`: work that is done once, and waiting."""

    def __init__(self, worker):
        self._worker = worker
        self._is_inside = contextvars.ContextVar("is_inside", default=False)

    def provide(self, module):
        async def step(name, work, repeatable=False):
            end, recorded = self._begin(name, work, repeatable)
            if end is None:
                return open_result(recorded)
            outside = self._is_inside.set(True)
            try:
                result = {"value": await resolve(work())}
            except Exception as error:  # noqa: BLE001
                result = to_step_error(error)
            finally:
                self._is_inside.reset(outside)
            return open_result(end(to_json_result(result)))

        def step_sync(name, work, repeatable=False):
            end, recorded = self._begin(name, work, repeatable)
            if end is None:
                return open_result(recorded)
            outside = self._is_inside.set(True)
            try:
                result = {"value": work()}
            except Exception as error:  # noqa: BLE001
                result = to_step_error(error)
            finally:
                self._is_inside.reset(outside)
            return open_result(end(to_json_result(result)))

        def sleep_sync(duration):
            milliseconds = read_duration(duration, "sleep")
            self._refuse_nested("sleep")
            durable = self._worker._durable
            if durable is not None:
                open_result(durable.wait("sleep", {"ms": milliseconds}))
            elif milliseconds > MAX_PLAIN_SLEEP_MS:
                raise MustBeAsynchronous(f"sleep for more than {MAX_PLAIN_SLEEP_MS} ms")
            else:
                time.sleep(milliseconds / 1000)

        def ask_sync(question, schema=None, deadline=None, answerers=None):
            details = read_question(question, schema, deadline, answerers)
            self._refuse_nested("ask")
            if self._worker._durable is None:
                raise MustBeAsynchronous("ask")
            return open_result(self._worker._durable.wait("ask", details))

        async def sleep(duration):
            return sleep_sync(duration)

        async def ask(question, schema=None, deadline=None, answerers=None):
            return ask_sync(question, schema, deadline, answerers)

        for function in (step, sleep, ask, step_sync, sleep_sync, ask_sync):
            setattr(module, function.__name__, function)
        for error in (StepError, StepInterrupted, AskTimeout, InvalidWait, ResultTooLarge):
            setattr(module, error.__name__, error)

    def _refuse_nested(self, kind):
        if self._is_inside.get():
            raise TypeError(f"A step can't call {kind}. Call it outside of the step.")

    def _begin(self, name, work, repeatable):
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_CHARACTERS:
            raise TypeError(f"The name of a step has 1 to {MAX_NAME_CHARACTERS} characters.")
        if not callable(work):
            raise TypeError(f"The step {name} needs a function.")
        self._refuse_nested("step")
        if self._worker._durable is not None:
            return self._worker._durable.begin(name, repeatable)
        return (lambda result: result), None


class StepInterrupted(StepError):
    """The server stopped while the step ran. It was not repeated."""


class AskTimeout(StepError):
    """The question was not answered before its deadline."""


class InvalidWait(StepError):
    """The platform refused the question or the sleep."""


class ResultTooLarge(StepError):
    """The step ran, but its result is too large to be recorded."""


async def resolve(value):
    return await value if inspect.isawaitable(value) else value


def to_step_error(error):
    name = type(error).__name__[:MAX_NAME_CHARACTERS]
    return {"error": {"type": name, "message": str(error)[:MAX_MESSAGE_CHARACTERS]}}


def to_json_result(result):
    """Returns the result as a later run gets it from the journal."""
    try:
        return json.loads(json.dumps(result, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        return to_step_error(error)


def open_result(result):
    """Returns the value of a result, or raises its error."""
    if "error" not in result:
        return result.get("value")
    kind, message = result["error"]["type"], result["error"]["message"]
    known = {each.__name__: each for each in StepError.__subclasses__()}
    found = known.get(kind) or getattr(builtins, kind, None)
    if isinstance(found, type) and issubclass(found, Exception):
        try:
            raised = found(message)
        except TypeError:
            raised = StepError(message)
    else:
        raised = type(kind, (StepError,), {})(message)
    raise raised


def read_duration(value, what):
    """Reads a duration such as `90s`, `2h` or a number of milliseconds."""
    milliseconds = None
    if isinstance(value, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)", value, re.ASCII)
        milliseconds = found and float(found[1]) * DURATIONS[found[2]]
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        milliseconds = value
    if milliseconds is None or not math.isfinite(milliseconds) or milliseconds < 0:
        raise TypeError(
            f'{what} takes a duration such as "90s", "2h" or "3d", or a number of milliseconds.'
        )
    return math.ceil(milliseconds)


def read_question(question, schema, deadline, answerers):
    if not isinstance(question, str) or not 0 < len(question) <= MAX_QUESTION_CHARACTERS:
        raise TypeError(f"ask needs a question of 1 to {MAX_QUESTION_CHARACTERS} characters.")
    details = {"question": question}
    if schema is not None:
        if len(json.dumps(schema)) > MAX_SCHEMA_CHARACTERS:
            raise TypeError(f"The schema of an answer has {MAX_SCHEMA_CHARACTERS} characters at most.")
        details["schema"] = schema
    if deadline is not None:
        details["deadlineMs"] = read_duration(deadline, "deadline")
    if answerers is not None:
        if not all(isinstance(each, str) for each in answerers):
            raise TypeError("answerers is a list of user IDs and role names.")
        details["answerers"] = list(answerers)
    return details


def show_call(kind, name):
    return f"step {json.dumps(name)}" if kind == "step" else kind


def explain_divergence(entry, found):
    recorded = show_call(entry["kind"], entry["name"])
    return (
        f"The invocation can't continue: call {entry['position'] + 1} was {recorded}, and this time"
        f" the tool {found}. A tool must make the same calls in the same order each time it"
        " continues. Put everything that can differ, such as the time, random values and requests,"
        " into steps."
    )


def too_large(limits):
    most = limits["maxResultCharacters"]
    return f"The step ran, but its result has more than {most} characters of JSON. Return less."


def new_printed():
    return {"left": MAX_START_CHARACTERS, "end": [], "size": 0, "skipped": 0}


def shorten(printed):
    """Keeps only the end of what is held back."""
    text = "".join(printed["end"])
    printed["skipped"] += max(0, len(text) - MAX_END_CHARACTERS)
    printed["end"] = [text[-MAX_END_CHARACTERS:]]
    printed["size"] = len(printed["end"][0])


def no_tool(*_):
    return {}


async def no_async_tool(*_):
    return {}


def write_all(descriptor, content):
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


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


def provide_scaffold(waiting):
    """Lets tools import the type of their user variables, and waiting, from the scaffold's package."""
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
    module = types.ModuleType("amigo_tool_scaffold.waiting")
    waiting.provide(module)
    package.waiting = module
    sys.modules[module.__name__] = module


def explain_lookups(refusal):
    """Lets lookups of names fail with the reason why there is no network, if there is none."""
    if refusal is None:
        return
    # `socket` takes longer to load, and uses this function.
    import _socket

    look_up = _socket.getaddrinfo

    def getaddrinfo(host, *args, **named):
        try:
            return look_up(host, *args, **named)
        except _socket.gaierror as error:
            name = host.decode("latin-1") if isinstance(host, bytes) else host
            raise _socket.gaierror(error.errno, f"{name} {refusal}") from None

    _socket.getaddrinfo = getaddrinfo


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
    worker = Worker()
    sys.stdin = io.StringIO()
    sys.stdout = sys.__stdout__ = Log(worker, "stdout")
    sys.stderr = sys.__stderr__ = Log(worker, "stderr")
    worker.serve()


main()
