"""Tools and calls as models see and make them."""

from typing import Any, Dict, Optional

from ._model import Model


class ToolCall(Model):
    """A call that a model makes."""

    id: str
    name: str
    arguments: Dict[str, Any]


class ToolSpec(Model):
    """A tool as it is described to a model."""

    name: str
    parameters: Dict[str, Any]
    description: Optional[str] = None
