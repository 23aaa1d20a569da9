"""Mounts a module that is written in Python, for the haft program to call its tools.

Requests and answers are lines of JSON on standard input and output. What the module itself prints
goes to standard error, so that it can't get between them. Needs Python 3.9 and nothing else.

  {"id": 1, "method": "mount", "params": {"module": "my_tool", "attribute": "mount", "config": {}}}
  {"id": 2, "method": "execute", "params": {"tool": 0, "input": {}}}
  {"id": 3, "method": "contribute", "params": {"contributor": 0}}
  {"method": "cancel", "params": {"id": 2}}
  {"method": "close"}

  {"id": 2, "result": {...}}
  {"id": 2, "error": {"message": "...", "type": "ValueError"}}
"""

import asyncio
import dataclasses
import importlib
import inspect
import json
import os
import sys
import threading
import traceback
import types
from typing import Any, Dict, Protocol, runtime_checkable

MAX_LINE_LENGTH = 16 * 1024 * 1024
CLEANUP_SECONDS = 4


class ToolResult:
    """How a tool ends: with an output, or with what went wrong."""

    def __init__(self, success=True, output=None, error=None, **facts):
        self.success = success
        self.output = output
        self.error = error
        for name, value in facts.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"ToolResult(success={self.success!r}, output={self.output!r}, error={self.error!r})"

    def __eq__(self, other):
        return isinstance(other, ToolResult) and vars(self) == vars(other)

    def model_dump(self, **_options):
        return dict(vars(self))


@runtime_checkable
class Tool(Protocol):
    """What a tool has."""

    name: str
    description: str

    async def execute(self, input: Dict[str, Any]) -> ToolResult:  # noqa: A002
        ...


class ToolCall:
    """A call as a model makes it."""

    def __init__(self, id, name, arguments=None):  # noqa: A002
        self.id = id
        self.name = name
        self.arguments = arguments or {}


class HookResult:
    """What a hook answers: go on."""

    def __init__(self, action="continue", **facts):
        self.action = action
        self.data = facts.get("data")
        self.reason = facts.get("reason")


class Hooks:
    """Takes hooks and events, and lets them be: there are none on this side."""

    def register(self, *_args, **_options):
        return lambda: None

    on = register

    async def emit(self, *_args, **_options):
        return HookResult()


class MockTool:
    """A tool that does nothing but remember how it was called."""

    def __init__(self, name="mock_tool", description="A mock tool.", output="", **options):
        self.name = name
        self.description = description
        self.output = output
        self.input_schema = options.get("input_schema", {})
        self.calls = []

    @property
    def call_count(self):
        return len(self.calls)

    async def execute(self, input):  # noqa: A002
        self.calls.append(input)
        return ToolResult(success=True, output=self.output)


class Coordinator:
    """What a module hangs its tools and contributions on."""

    def __init__(self):
        self.tools = []
        self.contributors = []
        self.hooks = Hooks()
        self.config = {}
        self.session_id = "haft"
        self.parent_id = None
        self.session_state = {}
        self.cleanups = []
        self._capabilities = {}

    async def mount(self, mount_point, module, name=None):
        if mount_point == "tools":
            self.tools.append((module, name))
        else:
            print(f"haft mounts tools only, not {mount_point}", file=sys.stderr)

    async def unmount(self, mount_point, name=None):
        if mount_point == "tools":
            self.tools = [(tool, given) for tool, given in self.tools if name not in (given, named(tool))]

    def get(self, mount_point, name=None):
        if mount_point == "hooks":
            return self.hooks
        if mount_point != "tools":
            return None
        tools = {given or named(tool): tool for tool, given in self.tools}
        return tools if name is None else tools.get(name)

    def register_contributor(self, channel, name, callback):
        self.contributors.append((channel, name, callback))

    async def collect_contributions(self, channel):
        collected = []
        for offered, _name, callback in self.contributors:
            if offered != channel:
                continue
            try:
                value = await settle(callback())
            except Exception:  # One that throws is left out.
                continue
            if value is not None:
                collected.append(value)
        return collected

    def register_capability(self, name, value):
        self._capabilities[name] = value

    def get_capability(self, name):
        return self._capabilities.get(name)

    def register_cleanup(self, callback):
        self.cleanups.append(callback)


class MockCoordinator(Coordinator):
    """The same for tests."""


class ModuleValidationError(Exception):
    """A module is not what it should be."""


def offer_core():
    """Puts what modules import of amplifier_core in its place, unless it is installed."""
    try:
        importlib.import_module("amplifier_core")
        return
    except ImportError:
        pass
    contents = {
        "ToolResult": ToolResult,
        "ToolCall": ToolCall,
        "HookResult": HookResult,
        "HookRegistry": Hooks,
        "Tool": Tool,
        "Coordinator": Coordinator,
        "ModuleCoordinator": Coordinator,
        "ModuleValidationError": ModuleValidationError,
    }
    doubles = {"MockTool": MockTool, "MockCoordinator": MockCoordinator}
    core = make_module("amplifier_core", contents)
    core.__path__ = []
    for name in ("interfaces", "models", "message_models", "coordinator", "hooks", "protocols"):
        setattr(core, name, make_module(f"amplifier_core.{name}", contents))
    core.testing = make_module("amplifier_core.testing", {**contents, **doubles})


def make_module(name, contents):
    module = types.ModuleType(name, "Stands in for the package of that name.")
    vars(module).update(contents)
    sys.modules[name] = module
    return module


async def settle(value):
    return await value if inspect.isawaitable(value) else value


def named(tool):
    return getattr(tool, "name", None)


class Bridge:
    """Serves one module."""

    def __init__(self, write):
        self.write = write
        self.coordinator = Coordinator()
        self.running = {}

    async def handle(self, request):
        number = request.get("id")
        try:
            method = getattr(self, f"do_{request.get('method')}")
            answer = {"id": number, "result": await method(**request.get("params", {}))}
        except asyncio.CancelledError:
            answer = {"id": number, "error": {"message": "It was cancelled.", "type": "cancelled"}}
        except BaseException as error:  # Also SystemExit: it must not take the others down.
            traceback.print_exc()
            answer = {"id": number, "error": describe(error)}
        finally:
            self.running.pop(number, None)
        try:
            self.write(answer)
        except (TypeError, ValueError) as error:  # JSON has no words for it.
            self.write({"id": number, "error": describe(error)})

    async def do_mount(self, module, attribute, config):
        target = importlib.import_module(module)
        for part in attribute.split("."):
            target = getattr(target, part)
        self.coordinator.config = config
        returned = await settle(target(self.coordinator, config))
        if callable(getattr(returned, "execute", None)):
            if not any(tool is returned for tool, _name in self.coordinator.tools):
                self.coordinator.tools.append((returned, None))
        elif callable(returned):
            self.coordinator.register_cleanup(returned)
        elif returned is not None:
            kind = type(returned).__name__
            raise TypeError(f"mount returned a {kind}, not a tool, a function that cleans up, or None")
        return {
            "tools": [self.describe_tool(tool, name) for tool, name in self.coordinator.tools],
            "contributors": [
                {"channel": str(channel), "name": str(name)}
                for channel, name, _callback in self.coordinator.contributors
            ],
        }

    @staticmethod
    def describe_tool(tool, name):
        try:
            return {
                "name": getattr(tool, "name", None),
                "mounted_as": name,
                "description": getattr(tool, "description", None),
                "input_schema": to_plain(getattr(tool, "input_schema", {})),
                "executes": callable(getattr(tool, "execute", None)),
            }
        except Exception as error:
            fault = f"It mounts a tool that can't be described: {type(error).__name__}: {error}"
            return {"name": None, "mounted_as": name, "fault": fault}

    async def do_execute(self, tool, input):  # noqa: A002
        execute = self.coordinator.tools[tool][0].execute
        if inspect.iscoroutinefunction(execute):
            return to_result(await execute(input))
        # What blocks must not block the others.
        work = asyncio.ensure_future(asyncio.to_thread(execute, input))
        try:
            return to_result(await settle(await asyncio.shield(work)))
        except asyncio.CancelledError:
            # A thread can't be stopped. Who does not want to wait for it has to end the process.
            await work
            raise

    async def do_contribute(self, contributor):
        _channel, _name, callback = self.coordinator.contributors[contributor]
        return to_plain(await settle(callback()))

    async def close(self):
        for task in list(self.running.values()):
            task.cancel()
        for cleanup in reversed(self.coordinator.cleanups):
            try:
                await asyncio.wait_for(settle(cleanup()), CLEANUP_SECONDS)
            except BaseException:
                traceback.print_exc()


def to_result(result):
    """A result with its three parts, whatever its class is; anything else is plain data."""
    if isinstance(result, dict) or not isinstance(getattr(result, "success", None), bool):
        return to_plain(result)
    parts = {name: getattr(result, name, None) for name in ("success", "output", "error")}
    return to_plain(parts)


def to_plain(value):
    """What JSON can carry of a value; the rest as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_plain(item) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_plain(dataclasses.asdict(value))
    if callable(getattr(value, "model_dump", None)):
        return to_plain(value.model_dump())
    return str(value)


def describe(error):
    return {"message": str(error) or "it says nothing more", "type": type(error).__name__}


def open_channel():
    """Takes standard input and output for itself; the module's prints go to standard error."""
    source = os.fdopen(os.dup(0), "rb")
    target = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    lock = threading.Lock()

    def write(answer):
        line = json.dumps(answer, ensure_ascii=True).encode() + b"\n"
        if len(line) > MAX_LINE_LENGTH:
            message = f"The result has {len(line)} bytes, more than can be handed over ({MAX_LINE_LENGTH})."
            answer = {"id": answer.get("id"), "error": {"message": message, "type": "too-large"}}
            line = json.dumps(answer).encode() + b"\n"
        with lock:
            at = 0
            while at < len(line):
                at += os.write(target, line[at:])

    return source, write


async def serve():
    source, write = open_channel()
    loop = asyncio.get_running_loop()
    queue = asyncio.Queue()

    def read():
        for line in source:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    offer_core()
    bridge = Bridge(write)
    while True:
        line = await queue.get()
        request = {"method": "close"} if line is None else json.loads(line)
        method = request.get("method")
        if method == "close":
            await bridge.close()
            sys.stderr.flush()
            # Not by returning: threads that never end would keep the process.
            os._exit(0)
        if method == "cancel":
            task = bridge.running.get(request["params"]["id"])
            if task is not None:
                task.cancel()
            continue
        bridge.running[request["id"]] = loop.create_task(bridge.handle(request))


if __name__ == "__main__":
    asyncio.run(serve())
