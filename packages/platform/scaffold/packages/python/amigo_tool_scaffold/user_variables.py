"""The variables of a user. Printing them never shows a sensitive value."""

from collections.abc import Mapping
from typing import Optional

_HIDDEN = "•••"


class UserVariables:
    """Variables of a user by name. Printing it never shows a sensitive value."""

    __slots__ = ("_read", "_shown")

    def __init__(
        self,
        plain: Optional[Mapping[str, str]] = None,
        sensitive: Optional[Mapping[str, str]] = None,
    ) -> None:
        shown = dict(plain or {})
        values = {**shown, **dict(sensitive or {})}
        shown.update({name: _HIDDEN for name in sensitive or {}})
        # A function, so that nothing that walks over attributes finds the values.
        self._read = lambda name: values[name]
        self._shown = shown

    def get(self, name: str, default: Optional[str] = None) -> Optional[str]:
        """A variable's value, sensitive or not; the default if there is none."""
        return self._read(name) if name in self._shown else default

    def __getitem__(self, name: str) -> str:
        return self._read(name)

    def __contains__(self, name: object) -> bool:
        return name in self._shown

    def has(self, name: str) -> bool:
        """Whether there is such a variable."""
        return name in self._shown

    def keys(self) -> list:
        """The names of all variables."""
        return list(self._shown)

    def __iter__(self):
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._shown)

    def __repr__(self) -> str:
        return f"UserVariables({self._shown!r})"

    def __reduce__(self):
        raise TypeError("The variables of a user can't be copied out of a tool.")
