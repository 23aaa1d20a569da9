"""Test doubles for modules."""

import asyncio
import types
from unittest.mock import AsyncMock

from .coordinator import ModuleCoordinator
from .models import HookResult, ToolResult


class MockCoordinator(ModuleCoordinator):
    """A coordinator that records what was mounted and unmounted."""

    def __init__(self):
        config = {"session": {"orchestrator": "test-orchestrator", "context": "test-context"}}
        session = types.SimpleNamespace(session_id="test-session", parent_id=None, config=config)
        super().__init__(session, AsyncMock(return_value={"approved": True}), AsyncMock())
        self.mount_history = []
        self.unmount_history = []

    async def mount(self, mount_point, module, name=None):
        self.mount_history.append({"mount_point": mount_point, "module": module, "name": name})
        await super().mount(mount_point, module, name)

    async def unmount(self, mount_point, name=None):
        self.unmount_history.append({"mount_point": mount_point, "name": name})
        await super().unmount(mount_point, name)


class MockTool:
    """A tool that returns a fixed output and counts its calls."""

    def __init__(self, name="mock_tool", output="Success"):
        self.name = name
        self.description = f"Mock tool: {name}"
        self.input_schema = {"type": "object", "properties": {}}
        self.output = output
        self.call_count = 0
        self.execute = AsyncMock(side_effect=self._execute)

    async def _execute(self, _input):
        self.call_count += 1
        return ToolResult(success=True, output=self.output)


class MockContextManager:
    """A context that keeps its messages in a list."""

    def __init__(self, messages=None):
        self.messages = messages or []
        self.add_message = AsyncMock(side_effect=self.messages.append)
        self.get_messages = AsyncMock(side_effect=lambda: self.messages)
        self.get_messages_for_request = AsyncMock(side_effect=lambda *_, **__: list(self.messages))
        self.clear = AsyncMock(side_effect=self.messages.clear)


class EventRecorder:
    """Records the events that are emitted on it."""

    def __init__(self):
        self.events = []

    async def emit(self, event, data):
        self.events.append((event, dict(data)))
        return HookResult(action="continue")

    record = emit

    def clear(self):
        self.events.clear()

    def get_events(self, event_type=None):
        return [one for one in self.events if event_type in (None, one[0])]


class ScriptedOrchestrator:
    """An orchestrator that gives the responses of a list, then "DONE"."""

    def __init__(self, responses):
        self.responses = responses
        self.call_count = 0

    async def execute(self, prompt, context, providers, tools, hooks):
        response = self.responses[self.call_count] if self.call_count < len(self.responses) else "DONE"
        self.call_count += 1
        await hooks.emit("session:start", {"prompt": prompt})
        await context.add_message({"role": "user", "content": prompt})
        await context.add_message({"role": "assistant", "content": response})
        await hooks.emit("session:end", {"response": response})
        return response


def create_test_coordinator():
    """Returns a coordinator with the tools `echo` and `fail` and a context."""
    coordinator = MockCoordinator()
    tools = {"echo": MockTool("echo", "Echo response"), "fail": MockTool("fail", None)}
    coordinator.mount_points["tools"].update(tools)
    coordinator.mount_points["context"] = MockContextManager()
    return coordinator


async def wait_for(condition, timeout=1.0):
    """Waits until a condition holds. Returns whether it did within the time, in seconds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout
    while loop.time() < end:
        if condition():
            return True
        await asyncio.sleep(0.01)
    return condition()
