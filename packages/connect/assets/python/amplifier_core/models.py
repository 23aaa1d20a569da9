"""The results of tools and hooks."""

import json
import re
from typing import Any, Dict, List, Literal, Optional

from ._model import Model


class ToolResult(Model):
    """The result of a tool: an output, or an error."""

    success: bool = True
    output: Optional[Any] = None
    error: Optional[Dict[str, Any]] = None

    def model_post_init(self, context):
        # Callers that show a model only the output then show it the message.
        if not self.success and self.output is None and self.error:
            self.output = self.error.get("message") or None

    def get_serialized_output(self):
        """Returns the output as text for a model: structured data as JSON, without control characters."""
        if self.output is None:
            return str(self)
        is_data = isinstance(self.output, (dict, list))
        text = json.dumps(self.output, default=str) if is_data else str(self.output)
        return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", "", text)

    def __str__(self):
        if self.success:
            return str(self.output) if self.output else "Success"
        return f"Error: {self.error.get('message', 'Unknown error')}" if self.error else "Failed"


class HookResult(Model):
    """The result of a hook: what happens to the event, and what the model or the person is told."""

    action: Literal["continue", "deny", "modify", "inject_context", "ask_user"] = "continue"
    data: Optional[Dict[str, Any]] = None
    reason: Optional[str] = None
    context_injection: Optional[str] = None
    context_injection_role: Literal["system", "user", "assistant"] = "system"
    ephemeral: bool = False
    approval_prompt: Optional[str] = None
    approval_options: Optional[List[str]] = None
    approval_timeout: float = 300.0
    approval_default: Literal["allow", "deny"] = "deny"
    suppress_output: bool = False
    user_message: Optional[str] = None
    user_message_level: Literal["info", "warning", "error"] = "info"
    user_message_source: Optional[str] = None
    append_to_last_tool_result: bool = False
