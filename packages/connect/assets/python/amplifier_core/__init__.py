"""The parts of amplifier_core that tools use, for machines without that package."""

import importlib

from .coordinator import ModuleCoordinator
from .hooks import HookRegistry
from .interfaces import Tool
from .loader import ModuleValidationError
from .message_models import ToolCall, ToolSpec
from .models import HookResult, ToolResult

__all__ = [
    "HookRegistry",
    "HookResult",
    "ModuleCoordinator",
    "ModuleValidationError",
    "Tool",
    "ToolCall",
    "ToolResult",
    "ToolSpec",
]


def __getattr__(name):
    # Only tests use them, and loading them takes longer than all of the above.
    if name.startswith(("Mock", "Scripted", "EventRecorder", "create_test_", "wait_for")):
        testing = importlib.import_module(".testing", __name__)
        if hasattr(testing, name):
            return getattr(testing, name)
    raise AttributeError(f"Haft's amplifier_core has no {name}. Install the package amplifier-core to use it.")
