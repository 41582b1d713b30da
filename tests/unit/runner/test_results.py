"""From a function's value to JSON: what is converted, what is refused, and where."""

import collections
import dataclasses
import enum
import json
import math
import types
import typing
import uuid
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tm.errors import ToolError
from tm.runner import results
from tm.runner.results import deep_copy_json, to_json

ID = uuid.UUID("7d3f0a56-3c0e-4f6e-9f3a-0a1b2c3d4e5f")


class Colour(enum.Enum):
    RED = "red"
    SIZES = (1, 2)


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    A = "a"


class Bits(enum.Flag):
    ONE = 1
    TWO = 2


class Named(typing.NamedTuple):
    sku: str
    qty: int = 1


@dataclasses.dataclass
class Line:
    shared: typing.ClassVar[int] = 9
    sku: str
    price: Decimal = Decimal(2)
    seed: dataclasses.InitVar[int] = 3


@dataclasses.dataclass(slots=True)
class Slotted:
    a: int
    b: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Late:
    a: int = dataclasses.field(init=False)


@dataclasses.dataclass(slots=True)
class LateSlotted:
    a: int = dataclasses.field(init=False)


class Child(Line):
    pass


def refused(value, **options):
    with pytest.raises(ToolError) as caught:
        to_json(value, **options)
    assert caught.value.code == "TM512"
    return caught.value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None), (True, True), (3, 3), (2.5, 2.5), ("ä", "ä"), ([], []), ({}, {}),
        (2**70, 2**70), ("\ud800", "\ud800"), (-0.0, -0.0),
        ((1, (2,)), [1, [2]]),
        (Named("A"), ["A", 1]),
        (datetime(2026, 3, 1, 8, 30, tzinfo=UTC), "2026-03-01T08:30:00+00:00"),
        (datetime.fromisoformat("2026-03-01T08:30"), "2026-03-01T08:30:00"),
        (datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Berlin")), "2026-07-01T00:00:00+02:00"),
        (datetime(2026, 7, 1, tzinfo=timezone(timedelta(hours=1))), "2026-07-01T00:00:00+01:00"),
        (date(2026, 3, 2), "2026-03-02"), (time(8, 30), "08:30:00"),
        (Decimal("19.90"), 19.9), (Decimal(20), 20), (Decimal("1E+3"), 1000),
        (Decimal(12345678901234567890), 12345678901234567890), (Decimal("1E-999"), 0.0),
        (ID, str(ID)),
        (Colour.RED, "red"), (Colour.SIZES, [1, 2]), (Level.LOW, 1), (Word.A, "a"),
        (Bits.ONE | Bits.TWO, 3),
        (Line("A"), {"sku": "A", "price": 2}), (Child("B"), {"sku": "B", "price": 2}),
        (Slotted(1), {"a": 1, "b": []}),
        (collections.OrderedDict(a=1), {"a": 1}), (collections.Counter("aa"), {"a": 2}),
        (collections.defaultdict(int, a=1), {"a": 1}),
    ],
)  # fmt: skip
def test_values_become_json(value, expected):
    result = to_json(value)
    assert result == expected
    assert type(result) is type(expected)
    json.dumps(result)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("a", "a"), (1, "1"), (2.5, "2.5"), (None, "null"), (True, "true"), (False, "false"),
        (date(2026, 3, 1), "2026-03-01"), (ID, str(ID)), (Decimal("1.5"), "1.5"),
        (Colour.RED, "red"), (Level.LOW, "1"), (Word.A, "a"),
    ],
)  # fmt: skip
def test_keys_become_text(key, text):
    assert to_json({key: 0}) == {text: 0}


def test_results_share_nothing_with_the_value():
    value = {"rows": [{"a": 1}]}
    result = to_json(value)
    value["rows"][0]["a"] = 2
    value["rows"].append(3)
    assert result == {"rows": [{"a": 1}]}


@pytest.mark.parametrize(
    ("value", "words", "hint"),
    [
        ({1, 2}, "of type set", "sorted(...)"),
        (frozenset(), "of type frozenset", "sorted(...)"),
        (b"x", "of type bytes", ".decode()"),
        (timedelta(1), "of type timedelta", ".total_seconds()"),
        (Fraction(1, 3), "of type Fraction", "float(...)"),
        (1j, "of type complex", "two numbers"),
        (range(3), "of type range", "list(...)"),
        ((x for x in ()), "of type generator", "list(...)"),
        (map(str, []), "of type map", "list(...)"),
        ({}.keys(), "of type dict_keys", "list(...)"),
        (collections.deque(), "of type deque", "list(...)"),
        (types.MappingProxyType({}), "of type mappingproxy", "dict(...)"),
        (object(), "of type object", "mappings, lists"),
        (len, "of type builtin_function_or_method", "mappings"),
        (Line, "of type type", "mappings"),
        (math.nan, "holds NaN", "None"),
        (-math.inf, "holds Infinity", "None"),
        (Decimal("NaN"), "holds NaN", "None"),
        (Decimal("sNaN"), "holds NaN", "None"),
        (Decimal("-Infinity"), "holds Infinity", "None"),
        (Decimal("1E+400"), "beyond the range", "str(...)"),
        ({(1, 2): 3}, "has a key of type tuple", "text"),
        ({math.nan: 3}, "holds NaN", "None"),
        (Late(), "no value in its field 'a'", ""),
        (LateSlotted(), "no value in its field 'a'", ""),
    ],
)
def test_other_values_are_refused_with_advice(value, words, hint):
    error = refused(value)
    assert words in error.message
    assert hint in (error.hint or "")


@pytest.mark.parametrize("wrap", [int, lambda value: {value: 1}, lambda value: {"a": value}])
def test_integers_that_can_not_be_written_are_refused(wrap):
    assert "more than 4,200 digits" in refused(wrap(10**5000)).message


def test_path_leads_to_the_value():
    rows = [{"sku": "A", "margin": 0.2}, {"sku": "B", "margin": math.nan}]
    error = refused({"rows": rows, "unit": "EUR"})
    assert error.message.startswith("the result is not JSON: $.rows.1.margin holds NaN")
    assert [detail.path for detail in error.details] == ["rows.1.margin"]
    assert ": NaN" not in error.message


def test_path_quotes_keys_and_begins_where_the_caller_says():
    error = refused({"first.name": ({"a": b""},)}, path="$.log")
    assert '$.log."first.name".0.a is of type bytes' in error.message


def test_keys_that_are_one_text_are_refused():
    assert "$.1 is there twice" in refused({1: "a", "1": "b"}).message


def test_value_that_contains_itself_is_refused():
    value = {"a": []}
    value["a"].append(value)
    assert "contains itself" in refused(value).message


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_depth_is_limited():
    assert to_json(nested(results.MAX_DEPTH))
    assert "deeper than 200 levels" in refused(nested(results.MAX_DEPTH + 1)).message


def test_same_part_twice_is_no_circle():
    part = {"a": 1}
    assert to_json([part, part]) == [{"a": 1}, {"a": 1}]


def test_shared_parts_do_not_explode(monkeypatch):
    monkeypatch.setattr(results, "MAX_NODES", 10_000)
    value = [0] * 10
    for _ in range(30):
        value = [value] * 10
    assert "larger than 10,000 values" in refused(value).message


def test_length_of_texts_is_limited(monkeypatch):
    monkeypatch.setattr(results, "MAX_CHARS", 1_000)
    assert to_json(["x" * 900])
    assert "longer than 1,000 characters" in refused([["x" * 900], ["x" * 900]]).message


def test_length_of_the_last_text_counts(monkeypatch):
    monkeypatch.setattr(results, "MAX_CHARS", 1_000)
    assert "longer than" in refused("x" * 1_001).message
    assert "longer than" in refused({"x" * 1_001: 1}).message


# -- no code of the value runs


def boom(*_args, **_options):
    pytest.fail("code of the value ran")


# pytest looks into the classes and values of a module; these live where it does not.


def subclasses():
    class Text(str):
        __slots__ = ()
        __str__ = __len__ = __iter__ = __eq__ = __repr__ = boom
        __hash__ = str.__hash__

    class Number(int):
        __int__ = __index__ = __str__ = __repr__ = __bool__ = boom

    class Real(float):
        __float__ = __repr__ = __bool__ = boom

    class Rows(list):
        __iter__ = __len__ = __getitem__ = __bool__ = boom

    class Pairs(dict):
        __iter__ = __len__ = __getitem__ = items = keys = __bool__ = boom

    class Row(tuple):
        __slots__ = ()
        __iter__ = __len__ = __getitem__ = __bool__ = boom

    class Hidden(enum.Enum):
        A = 1
        value = property(boom)

    @dataclasses.dataclass
    class Watched:
        a: int
        __getattribute__ = boom

    return {
        "text": (Text("a"), "a"),
        "int": (Number(3), 3),
        "float": (Real(1.5), 1.5),
        "list": (Rows([1]), [1]),
        "dict": (Pairs({"a": 1}), {"a": 1}),
        "tuple": (Row((1,)), [1]),
        "enum": (Hidden.A, 1),
        "dataclass": (Watched(2), {"a": 2}),
        "keys": ({Text("k"): 1, Number(2): 1, Real(2.5): 1}, {"k": 1, "2": 1, "2.5": 1}),
    }


@pytest.mark.parametrize("kind", subclasses())
def test_subclasses_become_plain_without_running_their_code(kind):
    value, expected = subclasses()[kind]
    result = to_json(value)
    assert type(result) is type(expected)
    assert result == expected
    assert {type(key) for key in result} == {str} if kind == "keys" else True


def liars():
    class Lying:
        __class__ = property(boom)
        __getattribute__ = boom

    class Meta(type):
        __instancecheck__ = __subclasscheck__ = __getattribute__ = boom
        __mro__ = property(boom)

    class Made(metaclass=Meta):
        pass

    class Forged:
        __dataclass_fields__: typing.ClassVar = 5

    return {"instance": Lying, "metaclass": Made, "fields": Forged}


@pytest.mark.parametrize("kind", ["instance", "metaclass", "fields"])
def test_classes_that_lie_are_refused_without_running_their_code(kind):
    assert "has no JSON form" in refused([type.__call__(liars()[kind])]).message


def test_forged_fields_are_left_out():
    class Forged:
        __dataclass_fields__: typing.ClassVar = {"a": 5}

    assert to_json(Forged()) == {}


class Zone(tzinfo):
    utcoffset = dst = tzname = boom


def test_time_zone_of_its_own_class_is_refused():
    error = refused({"when": datetime(2026, 1, 1, tzinfo=Zone())})
    assert "time zone of its own class" in error.message


@dataclasses.dataclass
class Default:
    a: int = dataclasses.field(default=4, init=False)


def test_default_of_the_class_counts_where_the_instance_has_none():
    assert to_json(Default()) == {"a": 4}


def test_modules_that_are_not_loaded_are_not_needed(monkeypatch):
    import sys

    for name in ("decimal", "uuid", "enum", "zoneinfo"):
        monkeypatch.delitem(sys.modules, name)
    assert to_json([datetime.fromisoformat("2026-01-01"), 1]) == ["2026-01-01T00:00:00", 1]
    assert "has no JSON form" in refused(Decimal(1)).message


# -- copies and properties


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(JSON)
def test_json_stays_as_it_is(value):
    assert to_json(value) == value
    assert json.loads(json.dumps(to_json(value))) == json.loads(json.dumps(value))


@settings(max_examples=50, deadline=None)
@given(JSON)
def test_copies_are_equal(value):
    assert deep_copy_json(value) == value


def test_copies_share_nothing():
    value = {"a": [{"b": 1}], "c": "x"}
    copy = deep_copy_json(value)
    copy["a"][0]["b"] = 2
    copy["a"].append(3)
    assert value == {"a": [{"b": 1}], "c": "x"}


def test_copy_of_data_that_is_too_deep_is_refused():
    with pytest.raises(ToolError, match="nested too deep"):
        deep_copy_json(nested(100_000))
