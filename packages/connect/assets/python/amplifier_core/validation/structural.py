"""Checks the form of a module."""

import inspect

import pytest

from ..interfaces import Tool


class ToolStructuralTests:
    """A module mounts a tool with the parts that the contract names."""

    @pytest.mark.asyncio
    async def test_structural_validation(self, tool_module):
        assert isinstance(tool_module, Tool), f"{tool_module!r} lacks name, description or execute()"
        assert inspect.iscoroutinefunction(tool_module.execute), "execute() must be async"
        assert isinstance(getattr(tool_module, "input_schema", {}), dict), "input_schema must be a dict"
