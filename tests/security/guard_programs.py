"""Legal tenant code that makes the standard library fire audit events, as source texts.

Each is (what stands above the handler, the handler's body).
"""

from __future__ import annotations

from pathlib import Path

from tests.tenant_functions import Workshop, handler

LEGAL: dict[str, tuple[str, str]] = {
    "ids": (  # first: uuid imports hashlib when it is needed
        "import uuid\n",
        'return [uuid.uuid5(uuid.NAMESPACE_DNS, "a"), uuid.uuid3(uuid.NAMESPACE_URL, "b")]',
    ),
    "dates": (
        "from datetime import datetime, timedelta, timezone\nimport time\n",
        """
        parsed = datetime.strptime("2026-03-01 +0100", "%Y-%m-%d %z")
        year = time.strptime("2026", "%Y")[0]
        now = datetime.now(timezone.utc) + timedelta(days=1)
        time.sleep(0)
        return [parsed, year, now, now.strftime("%A %d %B"), time.strftime("%Y"), time.ctime(0)]
        """,
    ),
    "zones": (
        "from datetime import datetime\nfrom zoneinfo import ZoneInfo, ZoneInfoNotFoundError\n",
        """
        try:
            ZoneInfo("Mars/Olympus")
        except ZoneInfoNotFoundError:
            return datetime(2026, 7, 1, tzinfo=ZoneInfo("Asia/Tokyo"))
        """,
    ),
    "json": (
        "import json\n",
        """
        class Encoder(json.JSONEncoder):
            def default(self, o):
                return str(o)

        try:
            json.loads("{")
        except json.JSONDecodeError as problem:
            return [str(problem), json.dumps({"a": {1}}, cls=Encoder, indent=2)]
        """,
    ),
    "decimals": (
        "from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext\n",
        """
        with localcontext() as context:
            context.prec = 5
            third = Decimal(1) / 3
        try:
            Decimal("x")
        except InvalidOperation:
            return [third, f"{Decimal('1234.5'):,.2f}", third.quantize(Decimal("0.1"))]
        """,
    ),
    "regular expressions": (
        "import re\n",
        'return [re.sub(r"(?i)a+", "b", "AAx"), re.compile(r"(?P<n>\\d)").match("1")["n"]]',
    ),
    "hashes and ids": (
        "import base64\nimport hashlib\nimport hmac\nimport secrets\nimport uuid\nimport zlib\n",
        """
        hashes = [hashlib.sha256(b"a").hexdigest(), hashlib.new("md5", b"a").hexdigest()]
        ids = [uuid.uuid4(), uuid.uuid5(uuid.NAMESPACE_DNS, "a")]
        ids.append(uuid.uuid3(uuid.NAMESPACE_URL, "b"))
        keyed = hmac.new(b"a", b"b", "sha256").hexdigest()
        encoded = base64.b64encode(b"a").decode()
        return [hashes, ids, keyed, secrets.token_hex(4), encoded, zlib.crc32(b"a")]
        """,
    ),
    "random and statistics": (
        "import random\nimport statistics\nfrom fractions import Fraction\n",
        """
        values = [random.random(), random.Random(3).choice([1, 2]), float(Fraction("1/3"))]
        return [statistics.mean(values), statistics.median(values), statistics.quantiles([1, 2, 3])]
        """,
    ),
    "csv and text buffers": (
        "import csv\nfrom io import BytesIO, StringIO\n",
        """
        out = StringIO()
        csv.DictWriter(out, ["a"]).writerow({"a": 1})
        return [out.getvalue(), list(csv.reader(StringIO("a,b"))), len(BytesIO(b"x").read())]
        """,
    ),
    "xml and html": (
        "import html\nimport xml.etree.ElementTree as ET\nfrom html.parser import HTMLParser\n",
        """
        class Words(HTMLParser):
            def handle_data(self, data):
                self.words = data

        words = Words()
        words.feed("<b>x &amp; y</b>")
        tree = ET.fromstring('<a><b c="1">x</b></a>')
        try:
            ET.fromstring("<a")
        except ET.ParseError as problem:
            return [words.words, html.unescape("&auml;"), tree.find("./b[@c]").text, str(problem)]
        """,
    ),
    "dataclasses": (
        """
from __future__ import annotations
from dataclasses import KW_ONLY, InitVar, asdict, dataclass, field, fields, replace

@dataclass(frozen=True, slots=True, order=True)
class Line:
    sku: str
    tags: list = field(default_factory=list)

@dataclass
class Order:
    number: int
    _: KW_ONLY
    seed: InitVar[int] = 3
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self, seed):
        self.number += seed
""",
        """
        @dataclass
        class Local:
            a: "int" = 1

        line = Line("A")
        return [asdict(Order(1)), replace(line, sku="B"), Line("A") < Line("B"), repr(line),
                [one.name for one in fields(line)], Local()]
        """,
    ),
    "named tuples": (
        "from collections import namedtuple\nfrom typing import NamedTuple\n",
        """
        Point = namedtuple("Point", "x y")

        class Row(NamedTuple):
            sku: str
            qty: int = 1

        return [Point(1, 2)._asdict(), Row("A")._replace(qty=2)]
        """,
    ),
    "enums": (
        "from enum import Enum, Flag, IntEnum, StrEnum, auto, unique\n",
        """
        @unique
        class State(Enum):
            OPEN = auto()
            PAID = auto()

        class Right(Flag):
            READ = auto()
            WRITE = auto()

        class Level(IntEnum):
            LOW = 1

        class Word(StrEnum):
            A = auto()

        return [State["OPEN"], Right.READ | Right.WRITE, Level.LOW, Word.A, [s.name for s in State]]
        """,
    ),
    "types": (
        """
from typing import Annotated, Generic, Literal, Optional, Protocol, TypedDict, TypeVar, Union
from typing import overload

T = TypeVar("T")
Maybe = Optional["list[Page]"]
Either = Union["Page", int]

class Page(Generic[T]):
    def __init__(self, items: list[T]) -> None:
        self.items = items

class Query(TypedDict, total=False):
    text: str

class Sized(Protocol):
    def size(self) -> int: ...

@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    return x + x
""",
        'return [Page[int]([1]).items, Query(text="a"), twice("a")]',
    ),
    "functions": (
        """
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property, lru_cache, partial, reduce, total_ordering, wraps

@lru_cache(maxsize=4)
def square(x):
    return x * x

def logged(fn):
    @wraps(fn)
    def inner(*args):
        return fn(*args)
    return inner

@logged
def add(a, b):
    return a + b

@total_ordering
class Size:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        return self.x == other.x
    def __lt__(self, other):
        return self.x < other.x
    @cached_property
    def double(self):
        return self.x * 2

@contextmanager
def opened():
    yield 7
""",
        """
        with opened() as seven, nullcontext(), suppress(KeyError):
            {}["a"]
        try:
            with opened():
                raise ValueError("a")
        except ValueError:
            return [square(3), add(1, 2), Size(1) <= Size(2), Size(2).double, seven,
                    partial(add, 1)(2), reduce(add, [1, 2, 3])]
        """,
    ),
    "abstract classes": (
        """
from abc import ABC, abstractmethod

class Price(ABC):
    @abstractmethod
    def net(self):
        ...

class Fixed(Price):
    def net(self):
        return 3
""",
        """
        try:
            Price()
        except TypeError as problem:
            return [Fixed().net(), isinstance(Fixed(), Price), str(problem)[:20]]
        """,
    ),
    "texts": (
        """
import difflib
import pprint
import string
import textwrap
import unicodedata
import urllib.parse
""",
        """
        codes = ["ä.de".encode("idna"), "ä".encode("cp1252"), "x".encode("punycode"),
                 "ä".encode("utf-16"), "ä".encode("ascii", "replace")]
        try:
            "a".encode("nowhere")
        except LookupError:
            codes.append(b"\\xe4".decode("latin-1").encode())
        return [difflib.get_close_matches("ab", ["abc"]), pprint.pformat([1] * 40), len(codes),
                string.Template("$a").substitute(a=1), textwrap.fill("a b", 1), f"{1e6:n}",
                unicodedata.name("ä"), urllib.parse.urlsplit("http://ä.example/x").hostname]
        """,
    ),
    "collections": (
        """
import array
import bisect
import calendar
import copy
import graphlib
import heapq
import ipaddress
import itertools
import math
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
""",
        """
        class Thing:
            def __init__(self):
                self.parts = [1]

        return [list(graphlib.TopologicalSorter({1: [2]}).static_order()), Counter("aab"),
                OrderedDict(a=1), defaultdict(int, a=1), dict(ChainMap({"a": 1})), list(deque([1])),
                list(array.array("i", [1])), calendar.month(2026, 1), copy.deepcopy(Thing()).parts,
                ipaddress.ip_address("10.0.0.1").is_global, heapq.nsmallest(1, [2, 1]),
                bisect.bisect([1, 2], 1), sorted([2, 1], key=operator.neg), math.fsum([0.1] * 3),
                list(itertools.pairwise([1, 2, 3])), id(results) > 0]
        """,
    ),
    "errors": (
        "from tm import ToolError\n",
        """
        try:
            raise ToolError("none left", code="TM502")
        except ToolError as problem:
            try:
                raise ValueError("b") from problem
            except ValueError as second:
                print("seen", second)
                return [problem.code, problem.message, str(second)]
        """,
    ),
}


def run_all(root: Path, scan: object) -> dict[str, object]:
    """Run every program in this interpreter; return each result, or the error that ended it."""
    outcomes: dict[str, object] = {}
    for name, (before, body) in LEGAL.items():
        try:
            outcomes[name] = Workshop(root, scan).run(handler(body, before))
        except Exception as error:  # noqa: BLE001  the tests tell which program failed
            outcomes[name] = error
    return outcomes
