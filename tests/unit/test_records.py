"""Records behave as frozen, slotted dataclasses do."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import ClassVar

import pytest

from tm.records import FrozenRecordError, field, record, replace


@record
class Point:
    """A point."""

    kind: ClassVar[str] = "point"
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

    @property
    def total(self):
        return self.x + self.y


@record(frozen=False)
class Counter:
    count: int = 0


@record
class Named(Point):
    name: str = "n"


@record
class Checked:
    value: int

    def __post_init__(self):
        if self.value < 0:
            raise ValueError(self.value)


@record
class Empty:
    """No fields at all."""


@record
class OwnWords:
    value: int

    def __repr__(self):
        return "own"


def test_fields_are_set_by_position_name_and_default():
    assert (Point(1).x, Point(1).y, Point(1, 2).y, Point(y=4, x=3).total) == (1, 0, 2, 7)
    assert Point.kind == "point"
    assert Point.__doc__ == "A point."


def test_factory_makes_a_new_default_each_time():
    first, second = Point(1), Point(1)
    first.tags.append("a")
    assert second.tags == []


@pytest.mark.parametrize("arguments", [{}, {"x": 1, "z": 2}])
def test_missing_and_unknown_fields_are_refused(arguments):
    with pytest.raises(TypeError):
        Point(**arguments)


def test_records_are_frozen_and_have_no_dict():
    point = Point(1)
    with pytest.raises(FrozenRecordError, match=r"Point\.x"):
        point.x = 2
    with pytest.raises(FrozenRecordError):
        del point.x
    with pytest.raises(AttributeError):
        point.other = 1
    assert not hasattr(point, "__dict__")


def test_records_compare_and_hash_by_value():
    assert Point(1, 2, ["a"]) == Point(1, 2, ["a"])
    assert Point(1) != Point(2)
    assert Checked(1) != Counter(1)
    assert Checked(1) != 1
    assert hash(Checked(3)) == hash(Checked(3))


def test_repr_shows_every_field():
    assert repr(Point(1, 2)) == "Point(x=1, y=2, tags=[])"
    assert repr(Empty()) == "Empty()"
    assert repr(OwnWords(1)) == "own"


def test_unfrozen_record_can_be_set_and_compares_by_identity():
    counter = Counter()
    counter.count += 1
    assert counter.count == 1
    assert counter != Counter(1)
    with pytest.raises(AttributeError):
        counter.other = 1


def test_record_of_a_record_has_both_fields():
    named = Named(1, name="a")
    assert (named.x, named.y, named.name) == (1, 0, "a")
    assert repr(named) == "Named(x=1, y=0, tags=[], name='a')"
    assert named != Point(1)


def test_post_init_may_refuse():
    assert Checked(1).value == 1
    with pytest.raises(ValueError, match="-1"):
        Checked(-1)


def test_replace_changes_some_fields_of_a_copy():
    point = Point(1, 2, ["a"])
    assert replace(point, y=5) == Point(1, 5, ["a"])
    assert point.y == 2
    with pytest.raises(TypeError):
        replace(point, z=1)


def test_class_patterns_match_by_position():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("options", [{}, {"init": False}])
def test_field_without_a_factory_is_refused(options):
    with pytest.raises(TypeError):
        field(**options)


def test_records_cost_no_import_of_dataclasses():
    code = "import sys, tm.records; print('dataclasses' in sys.modules, 'inspect' in sys.modules)"
    bare = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=bare, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_what_init_takes_is_compiled_once_when_the_first_record_is_made():
    @record
    class Late:
        x: int

    class Child(Late):
        """Has no fields of its own."""

    before = Late.__init__
    assert Child(1).x == 1
    made = Late.__init__
    assert made is not before
    assert Late(x=2) == Late(2)
    assert Late.__init__ is made
