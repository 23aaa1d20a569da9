"""The protocol of tools."""

from typing import Any, Dict, Protocol, runtime_checkable

from .models import ToolResult


@runtime_checkable
class Tool(Protocol):
    """A tool. `input_schema` is optional: read it with `getattr(tool, "input_schema", {})`."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    async def execute(self, input: Dict[str, Any]) -> ToolResult: ...  # noqa: A002
