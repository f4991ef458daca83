"""Properties that are worked out once: for one object, and without holding up another."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import ClassVar

from denominator.cached import cached_property


@dataclass(frozen=True, eq=False)
class Slow:
    """An object with a property that takes as long as it takes another object's to begin."""

    name: str
    together: ClassVar[threading.Barrier] = threading.Barrier(2)
    asked: ClassVar[list[str]] = []

    @cached_property
    def value(self) -> str:
        """Return the name, once both objects are being asked."""
        self.together.wait(timeout=30)
        self.asked.append(self.name)
        return self.name


def test_two_objects_do_not_wait_for_each_other():
    """Two runs are ranked at the same time; one lock for all of a class would never let the second begin."""
    objects = [Slow("a"), Slow("b")]
    threads = [threading.Thread(target=lambda one=one: one.value) for one in objects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.value for one in objects] == ["a", "b"]
    assert sorted(Slow.asked) == ["a", "b"]


def test_the_class_has_the_property_with_its_words():
    """As help and type checkers want it."""
    assert isinstance(Slow.value, cached_property)
    assert Slow.value.__doc__ == "Return the name, once both objects are being asked."
