"""Errors of modules."""


class ModuleValidationError(Exception):
    """A module does not meet the contract."""
