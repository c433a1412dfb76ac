"""Files of JSON back into what they were written from, with one kind of error for whatever no writer here makes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

#: What JSON has for the names that annotations use; a boolean is no integer here, and an integer is a float.
_JSON: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "None": (type(None),),
    "tuple": (list,),
    "Mapping": (dict,),
}


def parse(text: str | bytes, **options: Any) -> Any:
    """``json.loads``, where values that are nested beyond any use are a ValueError too."""
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("values are nested too deeply") from None


def made(cls: type[T], values: Any) -> T:
    """A dataclass from its plain fields.

    A field annotated with plain types holds one of them, numbers being finite and tuples lists in the file; other
    annotations are the class's own to check. Raises TypeError or ValueError where it does not, or a field is unknown or
    lacking.
    """
    if not isinstance(values, dict):
        raise TypeError(f"{type(values).__name__} where the fields of a {cls.__name__} stand")
    hashable: Any = cls
    own = dict(values)
    for name, types in _types(hashable):
        value = own.get(name)
        if name in own and type(value) not in types:
            raise TypeError(f"{name} is {type(value).__name__}")
        if type(value) is float and not math.isfinite(value):
            raise ValueError(f"{name} is {value}")
        if type(value) is list:
            own[name] = tuple(value)
    return cls(**own)


@cache
def _types(cls: Any) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """By field, the types of its value in a file; a field whose annotation names another type is left out."""
    found = []
    for field in fields(cls):
        names = re.sub(r"\[.*\]", "", str(field.type)).split(" | ")
        if all(name in _JSON for name in names):
            found.append((field.name, tuple(kind for name in names for kind in _JSON[name])))
    return tuple(found)
