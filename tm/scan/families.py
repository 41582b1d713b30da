"""What a forbidden name is for: the rule code that says so.

What lives here: tables from modules and members to rule codes, and their lookup. What must not:
anything that decides whether something is allowed; the policy does that.
"""

from __future__ import annotations

import ast

from tm.scan.hits import IMPORT, INJECTS, INTERPRETER, NETWORK, PROCESS, READS, WRITES
from tm.scan.modules import words

_MODULES_BY_CODE = {
    WRITES: """shutil tempfile shelve dbm _dbm _gdbm mailbox tarfile sqlite3 _sqlite3 logging
        fileinput py_compile compileall rich zipapp xlsxwriter openpyxl syslog plistlib wave sunau
        aifc docx reportlab fpdf h5py aiofiles fsspec loguru PIL cgitb dumbdbm lzma bz2 gzip""",
    READS: """glob linecache codecs tokenize netrc mimetypes filecmp getpass platform pathlib
        posixpath ntpath genericpath os.path stat mmap pwd grp spwd locale gettext xml.dom xml.sax
        xml.etree.cElementTree pyexpat zipfile pkgutil pandas numpy polars lxml dotenv toml tomllib
        tomli configparser imghdr sndhdr sysconfig fnmatch io _io importlib.metadata
        importlib.resources importlib_metadata pkg_resources stringio fcntl termios dircache
        zoneinfo nis crypt xdrlib chunk uu pypdf pypdfium2 json.tool pyclbr modulefinder""",
    PROCESS: """subprocess multiprocessing threading _thread signal sched atexit asyncio concurrent
        concurrent.futures pty webbrowser _posixsubprocess faulthandler resource psutil sh pexpect
        schedule joblib celery distutils venv ensurepip pip tkinter turtle antigravity curses tty
        commands popen2 plumbum invoke greenlet gevent trio anyio uvloop queue contextvars
        ctypes.util _winapi msvcrt winreg os posix nt _posixshmem sitecustomize setuptools""",
    INJECTS: """pickle _pickle cPickle pickletools marshal dill cloudpickle jsonpickle importlib
        imp runpy code codeop timeit trace doctest pdb bdb cProfile profile pstats jinja2 mako yaml
        ruamel unittest mock zipimport ast _ast symtable lib2to3 numexpr pydoc rlcompleter copyreg
        _frozen_importlib _frozen_importlib_external logging.config site pkgutil.walk simpleeval
        RestrictedPython execnet numba cython pyximport idlelib asteval sympy chameleon tornado
        hy js2py pytest _pytest nose parser compiler new ihooks""",
    NETWORK: """socket _socket ssl _ssl urllib.request urllib.error urllib.robotparser urllib2
        urllib3 http http.client http.server http.cookiejar httplib httplib2 httpx httpcore requests
        aiohttp paramiko smtplib smtpd telnetlib ftplib poplib imaplib nntplib socketserver xmlrpc
        dns select selectors wsgiref websockets websocket grpc pycurl boto3 botocore redis pymongo
        psycopg psycopg2 pymysql mysql twisted flask fastapi starlette uvicorn ldap3 scapy zmq pika
        kafka asyncore asynchat fabric h11 h2 openai anthropic mcp logging.handlers
        multiprocessing.connection multiprocessing.managers sqlalchemy elasticsearch treq pysftp
        asyncssh curl_cffi niquests stomp nmap whois netifaces email.smtp cgi zeep suds""",
    INTERPRETER: """ctypes _ctypes cffi _cffi_backend gc inspect sys dis builtins __builtin__
        __main__ _testcapi _testinternalcapi tracemalloc opcode types operator weakref _weakref
        traceback warnings _warnings functools contextlib enum string _string test objgraph
        pympler bytecode codetransformer forbiddenfruit cython_runtime _imp wrapt sysmodule""",
}
_MEMBERS = {
    "os": {
        WRITES: """remove unlink rename renames replace mkdir makedirs rmdir removedirs truncate
            ftruncate link symlink setxattr removexattr chmod chown lchown lchmod fchmod fchown
            utime write writev pwrite pwritev sendfile splice copy_file_range mkfifo mknod fsync
            fdatasync chflags lchflags posix_fallocate memfd_create eventfd open fdopen O_WRONLY
            O_CREAT O_RDWR O_APPEND O_TRUNC umask dup dup2""",
        READS: """read readv pread preadv stat lstat fstat access listdir scandir walk fwalk
            readlink environ environb getenv getenvb path getcwd getcwdb getlogin uname cpu_count
            getuid geteuid getgid getgroups getxattr listxattr statvfs fstatvfs O_RDONLY sysconf
            pathconf get_terminal_size ttyname confstr getloadavg fsencode fsdecode fspath""",
        INTERPRETER: "sys abc st",
    },
    "sys": {
        PROCESS: "exit setswitchinterval setrecursionlimit",
        INJECTS: """settrace setprofile meta_path path_hooks modules path path_importer_cache
            addaudithook monitoring activate_stack_trampoline call_tracing breakpointhook
            excepthook displayhook unraisablehook""",
        READS: "argv stdin executable orig_argv prefix base_prefix platlibdir flags",
    },
    "asyncio": {
        NETWORK: """open_connection start_server open_unix_connection start_unix_server
            DatagramProtocol Protocol StreamReader StreamWriter create_datagram_endpoint""",
    },
    "ssl": {
        READS: """create_default_context SSLContext load_verify_locations
        get_default_verify_paths"""
    },
    "pandas": {
        WRITES: "DataFrame Series ExcelWriter HDFStore",
    },
    "numpy": {WRITES: "save savez savetxt memmap savez_compressed"},
    "readline": {
        WRITES: "write_history_file append_history_file set_history_length",
        READS: "read_history_file read_init_file get_history_item",
    },
    "xml.etree.ElementTree": {READS: "parse iterparse XMLPullParser", WRITES: "ElementTree dump"},
    "xml.etree": {READS: "cElementTree"},
    "logging": {NETWORK: "handlers", INJECTS: "config"},
    "logging.handlers": {
        WRITES: "RotatingFileHandler TimedRotatingFileHandler WatchedFileHandler",
    },
    "importlib": {READS: "metadata resources abc"},
    "types": {INJECTS: "CodeType FunctionType LambdaType new_class ModuleType prepare_class"},
    "typing": {INJECTS: "get_type_hints ForwardRef _eval_type evaluate_forward_ref"},
    "functools": {INJECTS: "singledispatch singledispatchmethod"},
    "dataclasses": {INJECTS: "make_dataclass"},
    "time": {PROCESS: "tzset clock_settime clock_settime_ns pthread_getcpuclockid"},
    "uuid": {PROCESS: "uuid1 getnode"},
    "hashlib": {READS: "file_digest"},
    "jinja2": {READS: "FileSystemLoader PackageLoader"},
    "inspect": {
        INJECTS: "signature get_annotations",
        READS: "getsource getsourcefile getsourcelines getfile",
    },
    "zipfile": {READS: "Path is_zipfile"},
    "tarfile": {READS: "is_tarfile"},
    "multiprocessing": {NETWORK: "connection managers"},
    "email": {NETWORK: "smtp", READS: "message_from_file message_from_binary_file"},
    "email.utils": {NETWORK: "make_msgid", READS: "localtime"},
    "zoneinfo": {READS: "available_timezones TZPATH reset_tzpath"},
    "operator": {INTERPRETER: "attrgetter methodcaller call setitem delitem"},
    "ctypes": {PROCESS: "util"},
    "openpyxl": {READS: "load_workbook"},
    "docx": {READS: "Document"},
    "PIL": {READS: "Image"},
    "plistlib": {READS: "load readPlist"},
    "urllib": {NETWORK: "request error robotparser"},
    "distutils": {WRITES: "file_util dir_util archive_util"},
    "distutils.file_util": {WRITES: "copy_file move_file write_file"},
    "distutils.dir_util": {WRITES: "mkpath copy_tree remove_tree create_tree"},
    "codecs": {INJECTS: "register lookup"},
    "pkgutil": {INJECTS: "walk_packages resolve_name find_loader get_loader importer iter_modules"},
    "tempfile": {READS: "gettempdir"},
    "shutil": {READS: "which disk_usage get_terminal_size"},
    "fcntl": {WRITES: "flock lockf"},
}
# The mode decides between reading and writing.
OPENERS = words("""
    open FileIO TextIOWrapper ZipFile TarFile GzipFile BZ2File LZMAFile fdopen PyZipFile mmap
    bz2open memmap NamedTemporaryFile StreamReaderWriter EncodedFile taropen gzopen HDFStore
    File""")
_OPENER_MODULES = words("""
    io _io gzip bz2 lzma codecs tokenize tarfile zipfile _pyio wave aifc sunau h5py aiofiles
    fsspec _bz2 _lzma compression numpy mmap""")
# Methods of paths, archives and frames; looked at only where such a module was imported.
PATH_METHODS = {
    WRITES: words("""touch write_text write_bytes mkdir rmdir unlink rename chmod lchmod symlink_to
        hardlink_to link_to extractall extract writestr to_csv to_excel to_json to_pickle to_parquet
        to_sql save save_text save_html write writelines savefig"""),
    READS: words("""
        read_text read_bytes stat lstat exists is_file is_dir iterdir glob rglob home cwd
        expanduser resolve owner group readlink samefile absolute namelist read_csv read_json
        read_excel get_data read readlines load_verify_locations"""),
    PROCESS: frozenset(
        {"system", "popen", "fork", "create_subprocess_shell", "create_subprocess_exec"}
    ),
    NETWORK: words("""
        urlopen create_connection create_server create_datagram_endpoint sendto sock_connect
        open_connection start_server create_unix_connection getaddrinfo"""),
    INJECTS: frozenset({"exec_module", "load_module", "find_spec", "runsource", "runcode"}),
}
_BUILTINS_BY_CODE = {
    READS: """open license copyright credits input __file__ __spec__ __loader__ __path__
        __cached__""",
    PROCESS: """exit quit BaseException BaseExceptionGroup SystemExit KeyboardInterrupt
        GeneratorExit""",
    INJECTS: "eval exec compile __import__ execfile help breakpoint reload",
}


def _invert(table: dict[str, str]) -> dict[str, str]:
    return {name: code for code, names in table.items() for name in words(names)}


_MODULE_CODES = _invert(_MODULES_BY_CODE)
_MEMBER_CODES = {module: _invert(table) for module, table in _MEMBERS.items()}
_MEMBER_CODES["posix"] = _MEMBER_CODES["nt"] = _MEMBER_CODES["os"]
# Packages of which only some modules are allowed.
TOP_LEVEL_CODES = {"xml": READS, "xml.sax": READS, "xml.etree": READS, "urllib": NETWORK}
_BUILTIN_CODES = _invert(_BUILTINS_BY_CODE)


def builtin_family(name: str) -> str:
    """Return the rule code for a builtin that is not allowed."""
    return _BUILTIN_CODES.get(name, INTERPRETER)


def module_family(module: str) -> str:
    """Return the rule code for what a module is for; TM306 where nothing is known of it."""
    while module:
        if module in _MODULE_CODES:
            return _MODULE_CODES[module]
        module = module.rpartition(".")[0]
    return IMPORT


def member_family(module: str, member: str, *, default: str | None = None) -> str:
    """Return the rule code for a member of a module; `default` where only its module is known."""
    known = _MEMBER_CODES.get(module, {}).get(member)
    if known is not None:
        return known
    dotted = f"{module}.{member}"
    if dotted in _MODULE_CODES:
        return _MODULE_CODES[dotted]
    return default or module_family(module)


def is_opener(module: str, member: str) -> bool:
    """Return whether the mode of the call decides between reading and writing."""
    return member in OPENERS and module.partition(".")[0] in _OPENER_MODULES


def package_family(module: str) -> str:
    """Return the rule code for what an allowed module or package must not be used for."""
    return TOP_LEVEL_CODES.get(module, INTERPRETER)


def known_module(module: str) -> bool:
    """Return whether something is known of a module or of its members."""
    return module in _MODULE_CODES or module in _MEMBER_CODES


def opener_family(call: ast.Call) -> str:
    """Return TM302 for a call that plainly opens for reading, else TM301."""
    mode = next((k.value for k in call.keywords if k.arg == "mode"), None)
    if mode is None and len(call.args) > 1:
        mode = call.args[1]
    if mode is None:
        return READS
    if isinstance(mode, ast.Constant):
        return WRITES if is_write_mode(mode.value) else READS
    return WRITES  # a mode that is computed can be any


def is_write_mode(value: object) -> bool:
    """Return whether a constant is a mode that creates or changes files."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= 3
        and set(value) <= set("rwaxbt+")
        and bool(set(value) & set("wax+"))
    )
