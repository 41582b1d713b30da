"""The policy as data: names, attributes and syntax that tenant code may use.

What lives here: tables only, read by the scan and by the loader's `__builtins__` and guarded
import. What must not: code that looks at a file. The modules are in `modules.py`.
"""

from __future__ import annotations

import ast
import builtins

from tm.scan.modules import MODULES, PACKAGES, words

__all__ = ["MODULES", "PACKAGES"]

# The five names that make a Python file a config file (SPEC, section 3).
CONFIG_NAMES = frozenset({"tools", "apis", "assistants", "scheduled", "settings"})

# `except` over these would also catch the runner's own stop signals.
STOP_EXCEPTIONS = frozenset(
    {"BaseException", "BaseExceptionGroup", "GeneratorExit", "KeyboardInterrupt", "SystemExit"}
)
_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and name not in STOP_EXCEPTIONS
)
_FUNCTIONS = words("""
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod
    enumerate filter float format frozenset getattr hasattr hash hex id int isinstance issubclass
    iter len list map max min next object oct ord pow print property range repr reversed round set
    slice sorted staticmethod str sum super tuple type zip NotImplemented Ellipsis""")
BUILTINS = _FUNCTIONS | _EXCEPTIONS
# What `globals()` of a tenant module has besides: readable, and these only.
MODULE_NAMES = frozenset({"__name__", "__doc__"})
# Assigned by custom at the top of a module; they change nothing.
MODULE_DUNDERS = frozenset({"__all__", "__author__", "__copyright__", "__license__", "__version__"})

# Dunder attributes that only describe or only continue a method of the own class.
DUNDER_ATTRIBUTES = frozenset({"__name__", "__qualname__", "__doc__", "__members__"})
_COMPARES = "__eq__ __ne__ __lt__ __le__ __gt__ __ge__"
COMPARES = words(_COMPARES)
DUNDER_METHODS = words(f"""
    {_COMPARES} __init__ __new__ __post_init__ __repr__ __str__ __bytes__ __format__ __hash__
    __bool__ __call__ __len__ __length_hint__ __getitem__ __setitem__ __delitem__ __missing__
    __contains__ __iter__ __next__ __reversed__ __enter__ __exit__ __add__ __radd__ __iadd__
    __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ __truediv__ __rtruediv__ __itruediv__
    __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__ __divmod__ __rdivmod__
    __pow__ __rpow__ __ipow__ __matmul__ __rmatmul__ __and__ __or__ __xor__ __iand__ __ior__
    __ixor__ __lshift__ __rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__ __neg__ __pos__
    __abs__ __invert__ __int__ __float__ __complex__ __index__ __round__ __trunc__ __floor__
    __ceil__ __copy__ __deepcopy__ __getattr__""")
CLASS_DUNDERS = frozenset({"__slots__", "__match_args__", "__hash__", "__doc__"})
# `Base.__init__(self, ...)`, on a class that is named; `super()` may call every allowed method.
BASE_METHODS = frozenset(
    {"__init__", "__new__", "__post_init__", "__repr__", "__str__", "__hash__"}
)

# Ways from a value to frames, code objects, classes and what lies behind a bound method.
_FRAME_WORDS = """gi_frame gi_code gi_yieldfrom gi_running gi_suspended cr_frame cr_code cr_await
    cr_origin cr_running cr_suspended ag_frame ag_code ag_await ag_running tb_frame tb_next
    tb_lasti tb_lineno f_back f_builtins f_code f_globals f_lasti f_lineno f_locals f_trace
    f_trace_lines f_trace_opcodes func_code func_globals func_closure func_defaults func_dict
    im_func im_self im_class co_argcount co_cellvars co_code co_consts co_exceptiontable co_filename
    co_firstlineno co_flags co_freevars co_kwonlyargcount co_lines co_linetable co_lnotab co_name
    co_names co_nlocals co_positions co_posonlyargcount co_qualname co_stacksize co_varnames
    cell_contents"""
DENIED_ATTRIBUTES = words(_FRAME_WORDS) | {
    "mro",
    "format_map",
    "network_stream",
    "_field_defaults",
    "with_traceback",
    "add_done_callback",
    "baseFilename",
    "unicode_whitespace_trans",  # of TextWrapper: a table that all tools share
}
# Reached through an exception or a class pattern, these hand out the object behind it.
EXCEPTION_ATTRIBUTES = frozenset({"obj"})
PATTERN_ATTRIBUTES = frozenset({"obj", "format", "register"})
# namedtuple's own methods begin with an underscore so that fields can't clash with them.
# Not `_field_defaults`: of a library's class it is a table that every tenant would share.
UNDERSCORE_METHODS = frozenset({"_asdict", "_replace", "_fields", "_make"})

# What a logger or a client would carry behind its calls; the facades in ctx have none of it.
FACADE_INTERNALS = words("""
    handlers parent manager root filters propagate disabled addHandler removeHandler addFilter
    removeFilter setLevel makeRecord findCaller handle baseFilename cookies auth event_hooks
    build_request send mount mounts transport trust_env extensions""")
# A response has no request and no stream behind it, where the key and the socket would be.
RESPONSE_INTERNALS = frozenset({"extensions", "stream", "next_request", "history", "request"})
# The one part of ctx that a handler may change.
WRITABLE_CTX = frozenset({"session"})
MUTATORS = frozenset(
    {"update", "setdefault", "pop", "popitem", "clear", "append", "extend", "insert", "remove"}
)

# Lists and mappings among the members of allowed modules: all tools see the same ones.
SHARED_TABLES = words("""
    html.entities.html5 html.entities.name2codepoint html.entities.codepoint2name
    html.entities.entitydefs keyword.kwlist keyword.softkwlist hashlib.algorithms_available
    hashlib.algorithms_guaranteed""")

# Members that rewrite what they get: usable as a decorator on own code, never as a value.
DECORATOR_ONLY = words("""
    dataclass total_ordering unique verify final abstractmethod no_type_check runtime_checkable
    override""")
DECORATORS = words("""
    dataclass total_ordering unique verify final wraps lru_cache cache cached_property
    contextmanager abstractmethod abstractproperty abstractclassmethod abstractstaticmethod
    overload override no_type_check runtime_checkable member nonmember property staticmethod
    classmethod""")
# Names of Python's own that a class may reserve room for.
SLOT_DUNDERS = frozenset({"__dict__", "__weakref__"})
# Builtins and members that may not run while a module loads.
NOT_AT_IMPORT = frozenset({"print", "sleep", "dump", "pp", "pprint"})

# These call a function that they are given.
CALLS_ARGUMENTS = words("""
    map filter sorted min max sum any all iter reduce accumulate starmap groupby takewhile
    dropwhile filterfalse cmp_to_key""")

NODES: frozenset[type[ast.AST]] = frozenset(
    getattr(ast, name)
    for name in sorted(
        words("""Module FunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For While If
    With Match Raise Try Assert Import ImportFrom Global Nonlocal Expr Pass Break Continue BoolOp
    NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp Yield
    YieldFrom Compare Call FormattedValue JoinedStr Constant Attribute Subscript Starred Name List
    Tuple Slice comprehension ExceptHandler arguments arg keyword alias withitem match_case
    MatchValue MatchSingleton MatchSequence MatchMapping MatchClass MatchStar MatchAs
    MatchOr""")
    )
)
