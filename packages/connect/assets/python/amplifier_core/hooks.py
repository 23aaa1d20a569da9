"""The registry of hooks."""

from haft_coordinator import Hooks as HookRegistry

__all__ = ["HookRegistry"]
