"""Calls for testing a tool."""

import inspect
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional, Sequence

from .user_variables import UserVariables
from .waiting import set_answers


@dataclass
class TestCall:
    """The six parameters of `run_tool`, and the status events that the tool sent."""

    __test__ = False

    tool_input: dict
    metadata: dict
    config: dict
    conversation: Optional[dict]
    user_variables: UserVariables
    status_events: list = field(default_factory=list)

    def send_status_event(self, event: Any) -> "_Sent":
        """Keeps the event. A tool may wait for it with `await`, or not."""
        self.status_events.append(event)
        return _Sent()

    async def run(self, run_tool: Callable) -> Any:
        """Calls a tool as it is called when it is invoked."""
        result = run_tool(
            self.tool_input,
            self.metadata,
            self.config,
            self.conversation,
            self.send_status_event,
            self.user_variables,
        )
        return await result if inspect.isawaitable(result) else result


def create_test_call(
    tool_input: Mapping[str, Any],
    *,
    metadata: Optional[Mapping[str, str]] = None,
    config: Optional[Mapping[str, str]] = None,
    conversation: Optional[Mapping[str, Any]] = None,
    user_variables: Optional[Mapping[str, str]] = None,
    sensitive_user_variables: Optional[Mapping[str, str]] = None,
    answers: Sequence[Any] = (),
) -> TestCall:
    """Creates a call for testing a tool. Missing options get defaults.

    `answers` are for the tool's questions, in order.
    """
    set_answers(answers)
    usual = {
        "invocation_mode": "regular",
        "tool_version": "0.0.0",
        "invocation_id": "0" * 24,
    }
    return TestCall(
        tool_input=dict(tool_input),
        metadata=_Entries({**usual, **dict(metadata or {})}),
        config=_Entries(config or {}),
        conversation=None if conversation is None else dict(conversation),
        user_variables=UserVariables(user_variables, sensitive_user_variables),
    )


class _Entries(dict):
    """Entries that are attributes too, as they are when a tool is invoked."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class _Sent:
    def __await__(self):
        return
        yield
