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

HERE = os.path.dirname(os.path.abspath(__file__))
# A module named "bridge" must not find this file. Our amplifier_core comes last: an installed one takes precedence.
sys.path[:] = [path for path in sys.path if path != HERE] + [os.path.join(HERE, "python")]

from haft_coordinator import Coordinator, settle  # noqa: E402

MAX_LINE_LENGTH = 16 * 1024 * 1024
CLEANUP_SECONDS = 4


class Bridge:
    """Serves one module."""

    def __init__(self, write):
        self.write = write
        self.coordinator = Coordinator()
        self.tools = []
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
            if not any(tool is returned for tool in self.coordinator.get("tools").values()):
                await self.coordinator.mount("tools", returned)
        elif callable(returned):
            self.coordinator.register_cleanup(returned)
        elif returned is not None:
            kind = type(returned).__name__
            raise TypeError(f"mount returned a {kind}, not a tool, a function that cleans up, or None")
        mounted = self.coordinator.get("tools")
        self.tools = list(mounted.values())
        return {
            "tools": [self.describe_tool(tool, name) for name, tool in mounted.items()],
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
        execute = self.tools[tool].execute
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
    # A failed ToolResult repeats its message as the output.
    if isinstance(parts["error"], dict) and parts["output"] == parts["error"].get("message"):
        parts["output"] = None
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
