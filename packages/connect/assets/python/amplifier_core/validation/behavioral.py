"""Checks the behaviour of a module's tool."""

import pytest

from ..models import ToolResult


class ToolBehaviorTests:
    """A tool has a name and a description, and answers with a ToolResult, also to wrong input."""

    @pytest.mark.asyncio
    async def test_has_a_name_and_a_description(self, tool_module):
        for field in ("name", "description"):
            text = getattr(tool_module, field, None)
            assert isinstance(text, str) and text, f"the tool needs a {field}"

    @pytest.mark.asyncio
    async def test_returns_a_tool_result(self, tool_module):
        assert isinstance(await tool_module.execute({"_tool_call_id": "test"}), ToolResult)

    @pytest.mark.asyncio
    async def test_does_not_crash_on_wrong_input(self, tool_module):
        try:
            assert isinstance(await tool_module.execute({}), ToolResult)
        except (AttributeError, KeyError, TypeError) as error:
            pytest.fail(f"the tool crashed: {type(error).__name__}: {error}")
