"""Types and test helpers for Python tools."""

from .test_call import TestCall, create_test_call
from .user_variables import UserVariables

__all__ = ["TestCall", "UserVariables", "create_test_call"]
__version__ = "1.0.0"
