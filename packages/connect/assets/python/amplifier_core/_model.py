"""Models that check their fields, with the methods that pydantic's have. Needs no pydantic."""

import copy
import json
import typing
from typing import Any, Literal, Union


class ValidationError(ValueError):
    """A model was given values that do not fit its fields."""

    def __init__(self, title, errors):
        self.title = title
        self._errors = errors
        lines = [f"{error['loc'][0]}: {error['msg']} (input: {error['input']!r})" for error in errors]
        super().__init__(f"{len(errors)} validation errors for {title}: {'; '.join(lines)}")

    def errors(self):
        return list(self._errors)

    def error_count(self):
        return len(self._errors)


class Model:
    """A class whose annotations are fields. Unknown values are ignored, as in pydantic's models."""

    model_fields: typing.ClassVar[dict] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        hints = typing.get_type_hints(cls)
        own = {name: hint for name, hint in hints.items() if name != "model_fields"}
        cls.model_fields = {
            name: hint for name, hint in own.items() if typing.get_origin(hint) is not typing.ClassVar
        }

    def __init__(self, /, **values):
        errors = []
        for name, hint in self.model_fields.items():
            if name in values:
                try:
                    setattr(self, name, fit(hint, values[name]))
                except (TypeError, ValueError) as error:
                    errors.append(describe("type_error", name, str(error), values[name]))
            elif hasattr(type(self), name):
                setattr(self, name, copy.deepcopy(getattr(type(self), name)))
            else:
                errors.append(describe("missing", name, "Field required", values))
        if errors:
            raise ValidationError(type(self).__name__, errors)
        self.__dict__["model_fields_set"] = set(values) & set(self.model_fields)
        self.model_post_init(None)

    def model_post_init(self, context):
        """Called after the fields were set."""

    @classmethod
    def model_validate(cls, value):
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            error = describe("model_type", cls.__name__, f"Input should be a dictionary or {cls.__name__}", value)
            raise ValidationError(cls.__name__, [error])
        return cls(**value)

    @classmethod
    def model_validate_json(cls, text):
        return cls.model_validate(json.loads(text))

    def model_dump(
        self,
        *,
        include=None,
        exclude=None,
        exclude_none=False,
        exclude_unset=False,
        exclude_defaults=False,
        **_options,
    ):
        dumped = {}
        for name in self.model_fields:
            value = getattr(self, name)
            is_left_out = (
                (include is not None and name not in include)
                or (exclude is not None and name in exclude)
                or (exclude_none and value is None)
                or (exclude_unset and name not in self.model_fields_set)
                or (exclude_defaults and hasattr(type(self), name) and value == getattr(type(self), name))
            )
            if not is_left_out:
                dumped[name] = dump(value, exclude_none)
        return dumped

    def model_dump_json(self, *, indent=None, **options):
        separators = (",", ":") if indent is None else None
        return json.dumps(
            self.model_dump(**options), indent=indent, separators=separators, ensure_ascii=False, default=str
        )

    def model_copy(self, *, update=None, deep=False):
        copied = copy.deepcopy(self) if deep else copy.copy(self)
        vars(copied).update(update or {})
        return copied

    def __iter__(self):
        return iter([(name, getattr(self, name)) for name in self.model_fields])

    def __eq__(self, other):
        return type(self) is type(other) and dict(self) == dict(other)

    __hash__ = None

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"


def describe(kind, name, message, value):
    return {"type": kind, "loc": (name,), "msg": message, "input": value}


def dump(value, exclude_none):
    if isinstance(value, Model):
        return value.model_dump(exclude_none=exclude_none)
    if isinstance(value, dict):
        return {key: dump(item, exclude_none) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(dump(item, exclude_none) for item in value)
    return value


WORDS = {"true": True, "t": True, "yes": True, "y": True, "on": True, "1": True}
WORDS.update({"false": False, "f": False, "no": False, "n": False, "off": False, "0": False})


def fit(hint, value):
    """Returns the value as a hint wants it. Raises an error if it does not fit."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return value
    if origin is Union:
        return fit_one(arguments, value)
    if origin is Literal:
        if value in arguments:
            return value
        raise ValueError(f"Input should be {' or '.join(map(repr, arguments))}")
    if origin is dict and isinstance(value, dict):
        return {fit(arguments[0], key): fit(arguments[1], item) for key, item in value.items()}
    if origin is list and isinstance(value, (list, tuple)):
        return [fit(arguments[0], item) for item in value]
    if hint is bool and not isinstance(value, bool):
        word = str(value).lower() if isinstance(value, (str, int)) else None
        if word in WORDS:
            return WORDS[word]
    if hint is float and isinstance(value, (int, str)):
        return float(value)
    if hint is int and (isinstance(value, str) or (isinstance(value, float) and value.is_integer())):
        return int(value)
    if isinstance(hint, type) and issubclass(hint, Model):
        return hint.model_validate(value)
    if isinstance(value, origin or hint):
        return value
    raise ValueError(f"Input should be a valid {(origin or hint).__name__}")


def fit_one(hints, value):
    """Returns the value as one of several hints wants it, without a conversion if possible."""
    for hint in hints:
        try:
            if fit(hint, value) is value:
                return value
        except (TypeError, ValueError):
            pass
    for hint in hints[:-1]:
        try:
            return fit(hint, value)
        except (TypeError, ValueError):
            pass
    return fit(hints[-1], value)
