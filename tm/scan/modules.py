"""The standard modules that tenant code may import, each with the members it may use.

What lives here: one table, read by the scan and by the loader's guarded import. What must not:
members that touch files, processes, the network or state of the whole process, and members that
are modules themselves (many modules carry sys, os or codecs as an attribute).
"""

from __future__ import annotations

_TABLE = """
__future__: absolute_import annotations division generator_stop generators nested_scopes
  print_function unicode_literals with_statement
tm: Ctx ToolError
abc: ABC abstractmethod abstractproperty abstractclassmethod abstractstaticmethod
array: array
base64: b16decode b16encode b32decode b32encode b32hexdecode b32hexencode b64decode b64encode
  b85decode b85encode a85decode a85encode decodebytes encodebytes standard_b64decode
  standard_b64encode urlsafe_b64decode urlsafe_b64encode
binascii: Error Incomplete a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 crc_hqx hexlify unhexlify
  a2b_qp b2a_qp
bz2: compress decompress
bisect: bisect bisect_left bisect_right insort insort_left insort_right
calendar: Calendar FRIDAY IllegalMonthError IllegalWeekdayError MONDAY SATURDAY SUNDAY
  THURSDAY TUESDAY TextCalendar WEDNESDAY calendar day_abbr day_name firstweekday isleap leapdays
  month month_abbr month_name monthcalendar monthrange timegm weekday weekheader January February
cmath: acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log
  log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau
collections: ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple
collections.abc: Awaitable ByteString Callable Collection Container Generator Hashable ItemsView
  Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet
  Reversible Sequence Set Sized ValuesView
colorsys: hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb
contextlib: AbstractContextManager ContextDecorator closing contextmanager nullcontext suppress
copy: Error copy deepcopy
csv: DictReader DictWriter Dialect Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC Sniffer
  excel excel_tab reader unix_dialect writer
dataclasses: FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields
  is_dataclass replace
datetime: MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo
decimal: Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DivisionByZero
  DivisionImpossible DivisionUndefined FloatOperation Inexact InvalidContext InvalidOperation
  MAX_EMAX MAX_PREC MIN_EMIN Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR
  ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded Subnormal Underflow localcontext
  getcontext
difflib: Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK SequenceMatcher context_diff diff_bytes
  get_close_matches ndiff restore unified_diff
email.utils: format_datetime formataddr formatdate getaddresses mktime_tz parseaddr parsedate
  parsedate_to_datetime parsedate_tz
enum: CONFORM CONTINUOUS EJECT Enum EnumCheck Flag FlagBoundary IntEnum IntFlag KEEP NAMED_FLAGS
  STRICT ReprEnum StrEnum UNIQUE auto member nonmember unique verify
fractions: Fraction
functools: cache cached_property cmp_to_key lru_cache partial partialmethod reduce total_ordering
  wraps
graphlib: CycleError TopologicalSorter
gzip: BadGzipFile compress decompress
hashlib: algorithms_available algorithms_guaranteed blake2b blake2s md5 new pbkdf2_hmac scrypt sha1
  sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256
heapq: heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest
hmac: HMAC compare_digest digest new
html: escape unescape
html.entities: codepoint2name entitydefs html5 name2codepoint
html.parser: HTMLParser
http: HTTPMethod HTTPStatus
io: BytesIO StringIO SEEK_CUR SEEK_END SEEK_SET UnsupportedOperation
ipaddress: AddressValueError IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface
  IPv6Network NetmaskValueError collapse_addresses get_mixed_type_key ip_address ip_interface
  ip_network summarize_address_range v4_int_to_packed v6_int_to_packed
itertools: accumulate batched chain combinations combinations_with_replacement compress count cycle
  dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee
  zip_longest
json: JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads
keyword: iskeyword issoftkeyword kwlist softkwlist
lzma: LZMAError compress decompress
math: acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf
  erfc exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite
  isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod
  radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp fma
numbers: Complex Integral Number Rational Real
operator: abs add and_ attrgetter concat contains countOf eq floordiv ge getitem gt index indexOf
  inv invert is_ is_not itemgetter le length_hint lshift lt matmul methodcaller mod mul ne neg not_
  or_ pos pow rshift sub truediv truth xor
pprint: PrettyPrinter isreadable isrecursive pformat pp pprint saferepr
random: Random betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate
  normalvariate paretovariate randbytes randint random randrange sample shuffle triangular uniform
  vonmisesvariate weibullvariate SystemRandom
re: A ASCII DEBUG DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError
  RegexFlag S U UNICODE VERBOSE X compile error escape findall finditer fullmatch match search
  split sub subn
reprlib: Repr repr
secrets: choice compare_digest randbelow randbits token_bytes token_hex token_urlsafe SystemRandom
shlex: join quote split
statistics: NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean
  kde linear_regression mean median median_grouped median_high median_low mode multimode pstdev
  pvariance quantiles stdev variance
string: Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits
  printable punctuation whitespace
struct: Struct calcsize error iter_unpack pack pack_into unpack unpack_from
textwrap: TextWrapper dedent fill indent shorten wrap
time: CLOCK_MONOTONIC CLOCK_REALTIME CLOCK_PROCESS_CPUTIME_ID altzone asctime clock_getres
  clock_gettime clock_gettime_ns ctime daylight get_clock_info gmtime localtime mktime monotonic
  monotonic_ns perf_counter perf_counter_ns process_time process_time_ns sleep strftime strptime
  struct_time thread_time thread_time_ns time time_ns timezone tzname
types: MappingProxyType SimpleNamespace GenericAlias NoneType EllipsisType NotImplementedType
  UnionType
  GeneratorType
typing: AbstractSet Annotated Any AnyStr BinaryIO ByteString Callable ChainMap ClassVar Collection
  Concatenate Container Counter DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable IO
  ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match
  MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional
  OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required Reversible
  Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex
  SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeGuard TypeIs TypeVar
  TypeVarTuple TypedDict Union Unpack assert_never assert_type cast final get_args get_origin
  is_typeddict no_type_check overload override runtime_checkable
unicodedata: bidirectional category combining decimal decomposition digit east_asian_width
  is_normalized lookup mirrored name normalize numeric unidata_version
urllib.parse: DefragResult ParseResult SplitResult parse_qs parse_qsl quote quote_from_bytes
  quote_plus unquote unquote_plus unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit
  urlunparse urlunsplit
uuid: NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 RESERVED_FUTURE RFC_4122 SafeUUID
  UUID uuid3 uuid4 uuid5
xml.etree.ElementTree: Comment Element ParseError ProcessingInstruction QName SubElement
  TreeBuilder XMLParser XML fromstring fromstringlist indent iselement tostring
  tostringlist XMLID
xml.sax.saxutils: escape quoteattr unescape
zlib: MAX_WBITS Z_BEST_COMPRESSION Z_BEST_SPEED Z_DEFAULT_COMPRESSION adler32 compress compressobj
  crc32 decompress decompressobj error DEFLATED
zoneinfo: ZoneInfo ZoneInfoNotFoundError
"""


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as the tables of the policy are written."""
    return frozenset(text.split())


def _read(table: str) -> dict[str, frozenset[str]]:
    rows = table.replace("\n  ", " ").strip().splitlines()
    pairs = (row.split(": ", 1) for row in rows)
    return {module: words(members) for module, members in pairs}


MODULES = _read(_TABLE)

# `import xml.etree.ElementTree` binds `xml`: these are only steps on the way to a module.
PACKAGES = frozenset(
    name.rsplit(".", depth)[0] for name in MODULES for depth in range(1, name.count(".") + 1)
) - frozenset(MODULES)
