"""A property that is worked out once and then kept: ``functools.cached_property``, as it is from Python 3.12 on.

That of Python 3.11 has one lock for all objects of a class: runs that are read in several threads wait for one another,
and a process that is forked meanwhile waits forever.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

__all__ = ["cached_property"]

if sys.version_info >= (3, 12):
    from functools import cached_property
else:
    if TYPE_CHECKING:
        from collections.abc import Callable
        from typing import Self

    Value = TypeVar("Value")

    class cached_property(Generic[Value]):  # noqa: N801  (named as the one it stands for)
        """Work the value out when it is first asked for, and put it where the object's attributes are."""

        def __init__(self, work: Callable[[Any], Value]) -> None:
            """Take the method that works the value out."""
            self.work = work
            self.__doc__ = work.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            """Learn under which name the value is kept."""
            self.name = name

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Value: ...
        def __get__(self, instance: object, owner: type | None = None) -> Self | Value:
            """Return the value; the next time Python finds it without coming here."""
            if instance is None:
                return self
            value = vars(instance)[self.name] = self.work(instance)
            return value
