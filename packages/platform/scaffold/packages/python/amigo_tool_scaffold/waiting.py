"""Work that is done once, and waiting.

In an asynchronous invocation the platform replaces this module: results of steps are recorded, and a
tool that sleeps or asks holds no process until it continues. In tests steps just run, sleeping takes
no time, and questions get the answers of `create_test_call`. Plain functions use `step_sync`,
`sleep_sync` and `ask_sync`.
"""

import inspect
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union

Duration = Union[int, float, str]


class StepError(Exception):
    """An error of a step. Its class has the name of the original error."""


class StepInterrupted(StepError):
    """The server stopped while the step ran. It was not repeated."""


class AskTimeout(StepError):
    """The question was not answered before its deadline."""


class InvalidWait(StepError):
    """The platform refused the question or the sleep."""


class ResultTooLarge(StepError):
    """The step ran, but its result is too large to be recorded."""


_answers: List[Any] = []


def set_answers(answers: Sequence[Any]) -> None:
    """Sets the answers to the next questions. An exception is raised by `ask`."""
    _answers[:] = answers


async def step(name: str, work: Callable[[], Any], repeatable: bool = False) -> Any:
    """Does work once. An invocation that continues gets the recorded result."""
    value = work()
    return await value if inspect.isawaitable(value) else value


async def sleep(duration: Duration) -> None:
    """Waits for a duration such as "90s", "2h" or "3d", or a number of milliseconds."""
    sleep_sync(duration)


async def ask(
    question: str,
    schema: Optional[Mapping[str, Any]] = None,
    deadline: Optional[Duration] = None,
    answerers: Optional[Sequence[str]] = None,
) -> Any:
    """Asks a person in the inbox. Raises `AskTimeout` after the deadline."""
    return ask_sync(question, schema, deadline, answerers)


def step_sync(name: str, work: Callable[[], Any], repeatable: bool = False) -> Any:
    """The same as `step`, for plain functions."""
    return work()


def sleep_sync(duration: Duration) -> None:
    """The same as `sleep`, for plain functions."""


def ask_sync(
    question: str,
    schema: Optional[Mapping[str, Any]] = None,
    deadline: Optional[Duration] = None,
    answerers: Optional[Sequence[str]] = None,
) -> Any:
    """The same as `ask`, for plain functions."""
    if not _answers:
        raise LookupError(f"The test has no answer to the question: {question}")
    answer = _answers.pop(0)
    if isinstance(answer, BaseException):
        raise answer
    return answer
