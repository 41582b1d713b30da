"""Calling tenant functions: every way out, with its place and words."""

import contextlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.tenant_functions import AT, Workshop, handler, parse_only
from tm.errors import ConfigError, Location, SecurityError, ToolError, UsageError
from tm.runner import places
from tm.runner.calls import call_function
from tm.runner.guard import disarmed, is_armed
from tm.runner.places import Source, describe, innermost
from tm.runner.results import to_json


@pytest.fixture
def shop(tmp_path):
    return Workshop(tmp_path, parse_only)


def failed(shop, source, ctx=None, **options):
    with pytest.raises(ToolError) as caught:
        shop.run(source, ctx, **options)
    return caught.value


def test_raising_function_shows_file_line_and_source_line(shop):
    error = failed(shop, handler("won = 3\ntotal = 0\nshare = won / total\nreturn share"))
    assert error.code == "TM509"
    assert str(error) == (
        "tenants/acme/a.py:6:13: ZeroDivisionError: division by zero, "
        "in the line `share = won / total`"
    )
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_place_is_the_innermost_tenant_line_not_the_library_below_it(shop):
    source = "import json\ndef read(text):\n    return json.loads(text)\n" + handler(
        "return read('{')"
    )
    error = failed(shop, source)
    assert (error.at.path, error.at.line) == ("tenants/acme/a.py", 3)
    assert "return json.loads(text)" in error.message


def test_place_in_a_helper_is_the_helpers(shop):
    shop.write("acme/lib.py", "def half(x):\n    return x / 0\n")
    error = failed(shop, handler("return half(1)", "from .lib import half"))
    assert str(error.at) == "tenants/acme/lib.py:2:12"


def test_column_counts_characters_and_not_bytes(shop):
    error = failed(shop, handler("größe = 'ü'; x = 1 / 0"))
    assert (error.at.line, error.at.col) == (4, 22)


def test_source_line_is_the_one_that_was_loaded(shop):
    shop.write("acme/a.py", handler("return 1 / 0"))
    fn = shop.load()
    shop.write("acme/a.py", "changed\n" * 9)
    with pytest.raises(ToolError, match="`return 1 / 0`"):
        call_function(fn, {}, {}, {}, ref=shop.ref())


def test_long_source_line_is_cut(shop):
    error = failed(shop, handler(f"return [{'1, ' * 200}1 / 0]"))
    assert "…`" in error.message
    assert len(error.message) < 300


def test_text_of_an_exception_is_cut(shop):
    error = failed(shop, handler("raise ValueError('x' * 100_000)"))
    assert len(error.message) < 2_200


def test_exception_without_text_is_named(shop):
    error = failed(shop, handler("raise KeyError"))
    assert "KeyError, in the line `raise KeyError`" in error.message


@pytest.mark.parametrize(
    "method", ["return 1 / 0", "raise RuntimeError('no')", "return 5", "open('/etc/passwd')"]
)
def test_exception_whose_text_can_not_be_read_is_named(shop, method):
    before = f"class OddError(Exception):\n    def __str__(self):\n        {method}\n"
    error = failed(shop, handler("raise OddError('a')", before))
    assert "OddError: (its text can't be read)" in error.message


def test_text_of_a_text_subclass_is_plain():
    class Text(str):
        __slots__ = ()

        def __len__(self):
            raise AssertionError

    class OddError(Exception):
        def __str__(self):
            return Text("plain")

    assert describe(OddError()) == "OddError: plain"


def test_exception_group_shows_what_is_in_it(shop):
    source = handler("raise ExceptionGroup('two', [ValueError('a'), TypeError('b')])")
    error = failed(shop, source)
    assert "two (2 sub-exceptions): ValueError: a; TypeError: b" in error.message


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return next(iter([]))", "StopIteration"),
        ("return f(results, args, ctx)", "RecursionError"),
        ("raise MemoryError('too much')", "MemoryError: too much"),
        ("assert results, 'none'", "AssertionError: none"),
        ("return missing", "NameError: name 'missing' is not defined"),
    ],
)
def test_every_kind_of_exception_is_a_tool_error(shop, body, word):
    error = failed(shop, handler(body))
    assert error.code == "TM509"
    assert word in error.message
    assert error.at.line == 4


@pytest.mark.parametrize("exception", [SystemExit(3), GeneratorExit()])
def test_exceptions_that_would_end_the_program_do_not(shop, exception):
    def end():
        raise exception

    error = failed(shop, handler("return ctx['end']()"), {"end": end})
    assert error.code == "TM509"
    assert (error.at.path, error.at.line) == ("tenants/acme/a.py", 4)


def test_ctrl_c_of_the_user_passes(shop):
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shop.run(handler("return ctx['wait']()"), {"wait": interrupt})
    assert not is_armed()


def test_call_with_wrong_arguments_has_the_place_of_the_def(shop):
    shop.write("acme/a.py", handler("return 1"))
    fn = shop.load()
    with pytest.raises(ToolError) as caught:
        call_function(fn, ref=shop.ref())
    assert str(caught.value.at) == "tenants/acme/a.py:3"


def test_callable_without_a_def_has_the_place_of_its_file(shop):
    with pytest.raises(ToolError) as caught:
        call_function(int, "x", ref=shop.ref())
    assert str(caught.value.at) == "tenants/acme/a.py"


# -- errors with codes


def test_tool_error_of_a_tool_passes_as_it_is(shop):
    error = ToolError("404 from the shop", code="TM504", hint="look", details=())

    def tool():
        raise error

    assert failed(shop, handler("return ctx['tool']()"), {"tool": tool}) is error
    assert error.at is None


def test_tool_error_that_is_raised_again_keeps_what_it_had(shop):
    error = ToolError("404", code="TM504", at=Location("tenants/acme/x.yaml", 4))

    def tool():
        raise error

    body = "try:\n    ctx['tool']()\nexcept Exception as e:\n    raise e"
    assert failed(shop, handler(body), {"tool": tool}) is error
    assert error.at == Location("tenants/acme/x.yaml", 4)


def test_tool_error_of_the_tenant_keeps_its_code_and_gets_a_place(shop):
    before = "from tm import ToolError\n"
    error = failed(shop, handler("raise ToolError('no stock', code='TM501')", before))
    assert (error.code, error.message) == ("TM501", "no stock")
    assert str(error) == "tenants/acme/a.py:5:5: no stock"


def test_tool_error_of_the_tenant_has_a_code_of_its_own_by_default(shop):
    error = failed(shop, handler("raise ToolError('no stock')", "from tm import ToolError\n"))
    assert (error.code, error.message) == ("TM509", "no stock")


def test_own_subclass_keeps_message_code_and_hint(shop):
    before = "from tm import ToolError\nclass StockError(ToolError):\n    pass\n"
    body = "raise StockError('none left', code='TM502', hint='order more')"
    error = failed(shop, handler(body, before))
    assert type(error) is ToolError
    assert (error.code, error.message, error.hint) == ("TM502", "none left", "order more")
    assert error.at.line == 7
    assert type(error.__cause__).__name__ == "StockError"


def test_own_subclass_that_sets_nothing_is_described(shop):
    before = "from tm import ToolError\nclass OddError(ToolError):\n    def __init__(self): pass\n"
    error = failed(shop, handler("raise OddError()", before))
    assert (error.code, error.message) == ("TM509", "OddError: (its text can't be read)")


def test_tool_error_with_odd_parts_is_made_plain(shop):
    before = "from tm import ToolError\n"
    error = failed(shop, handler("raise ToolError({'a': 1}, code='E1', hint=5)", before))
    assert (error.code, error.hint) == ("TM509", None)
    assert type(error.message) is str


@pytest.mark.parametrize(
    "error",
    [
        UsageError("no", code="TM502"),
        ConfigError("no", code="TM101"),
        SecurityError("no", code="TM518"),
    ],
)
def test_other_errors_of_tm_pass(shop, error):
    def tool():
        raise error

    with pytest.raises(type(error)) as caught:
        shop.run(handler("ctx['tool']()"), {"tool": tool})
    assert caught.value is error


# -- the guard


def test_forbidden_act_is_a_security_error_with_its_line(shop):
    with pytest.raises(SecurityError) as caught:
        shop.run(handler("return open('/etc/passwd')"))
    assert caught.value.code == "TM511"
    assert str(caught.value.at) == "tenants/acme/a.py:4:12"
    assert "call open()" in caught.value.message
    assert "`return open('/etc/passwd')`" in caught.value.message


@pytest.mark.parametrize("swallow", ["except Exception:\n    pass", "finally:\n    return 1"])
def test_forbidden_act_that_is_swallowed_counts(shop, swallow):
    with pytest.raises(SecurityError) as caught:
        shop.run(handler(f"try:\n    open('x')\n{swallow}\nreturn 1"))
    assert caught.value.code == "TM511"
    assert caught.value.at.line == 5


def test_error_after_a_forbidden_act_does_not_hide_it(shop):
    with pytest.raises(SecurityError):
        shop.run(handler("try:\n    open('x')\nfinally:\n    1 / 0"))


def test_forbidden_act_in_a_nested_tool_counts_for_the_caller(shop):
    def tool():
        with disarmed():
            raise SecurityError("nested", code="TM511")

    body = "try:\n    ctx['tool']()\nexcept Exception:\n    return 1"
    with pytest.raises(SecurityError) as caught:
        shop.run(handler(body), {"tool": tool})
    assert caught.value.code == "TM511"


def test_conversion_of_the_result_is_guarded(shop):
    shop.write("acme/a.py", handler("return 1"))
    seen = []
    call_function(
        shop.load(), {}, {}, {}, ref=shop.ref(), convert=lambda _: seen.append(is_armed())
    )
    assert seen == [True]


def test_forbidden_act_without_a_tenant_line_has_the_place_of_the_reference(shop):
    shop.write("acme/a.py", handler("return 1"))

    def convert(_):
        Path("/etc/hostname").read_bytes()

    with pytest.raises(SecurityError) as caught:
        call_function(shop.load(), {}, {}, {}, ref=shop.ref(), convert=convert)
    assert caught.value.at == AT


# -- results and printing


def test_result_is_returned_as_it_is_without_a_conversion(shop):
    shop.write("acme/a.py", handler("return (1, 2)"))
    assert call_function(shop.load(), {}, {}, {}, ref=shop.ref()) == (1, 2)


def test_generator_is_no_result(shop):
    error = failed(shop, handler("yield 1"))
    assert (error.code, str(error.at)) == ("TM512", "tenants/acme/a.py:3")
    assert "'f' returns a generator" in error.message
    assert "list(...)" in error.hint


def test_coroutine_is_no_result(shop):
    async def later():
        return 1

    coroutine = later()
    with contextlib.closing(coroutine):
        error = failed(shop, handler("return ctx['later']"), {"later": coroutine})
    assert (error.code, error.at.path) == ("TM512", "tenants/acme/a.py")
    assert "plain `def`" in error.hint


def test_argument_of_ctx_that_is_no_json_has_the_place_of_its_call(shop):
    source = "def f(results, args, ctx):\n    value = {1}\n    return ctx['tool']('x', value)\n"

    def tool(name, args):
        return to_json(args)

    error = failed(shop, source, {"tool": tool})
    assert (error.code, str(error.at)) == ("TM512", "tenants/acme/a.py:3:12")


def test_result_that_is_no_json_has_the_place_of_the_function(shop):
    error = failed(shop, handler("return {'a': {1, 2}}"))
    assert (error.code, str(error.at)) == ("TM512", "tenants/acme/a.py:3")
    assert "$.a is of type set" in error.message


def test_print_goes_to_stderr(shop, capsys):
    shop.run(handler("print('a', 1, sep='-', flush=True)\nprint('b', end='')"))
    assert capsys.readouterr() == ("", "a-1\nb")


def test_print_to_a_text_buffer_stays_there(shop, capsys):
    body = "out = StringIO()\nprint('a', file=out)\nreturn out.getvalue()"
    assert shop.run(handler(body, "from io import StringIO")) == "a\n"
    assert capsys.readouterr() == ("", "")


def test_print_to_a_stream_of_the_process_goes_to_stderr(shop, capsys):
    shop.run(handler("print('a', file=ctx['out'])"), {"out": sys.stdout})
    assert capsys.readouterr() == ("", "a\n")


def test_print_goes_where_the_caller_says(shop, capsys):
    texts = []
    shop.run(handler("print('a')"), print_to=texts.append)
    assert texts == ["a\n"]
    shop.run(handler("print('b')"))
    assert capsys.readouterr().err == "b\n"


def test_printing_what_does_forbidden_things_is_refused(shop):
    before = "class A:\n    def __str__(self):\n        open('x')\n"
    with pytest.raises(SecurityError):
        shop.run(handler("print(A())", before))


# -- places


def test_source_lines_are_counted_from_one():
    source = Source("a.py", b"\xef\xbb\xbfone\ntwo\n")
    assert [source.line(n) for n in (0, 1, 2, 3)] == ["", "one", "two", ""]


def test_traceback_without_a_tenant_line_has_no_place():
    assert innermost(None) is None
    with pytest.raises(ValueError) as caught:
        raise ValueError
    assert innermost(caught.value.__traceback__) is None


def test_standard_tracebacks_show_the_loaded_source(shop):
    import traceback

    error = failed(shop, handler("return 1 / 0"))
    shown = "".join(traceback.format_exception(error.__cause__))
    assert "return 1 / 0" in shown


def test_line_number_is_right_with_windows_line_ends(shop):
    error = failed(shop, b"\n" * 3 + handler("return 1 / 0").encode().replace(b"\n", b"\r\n"))
    assert error.at.line == 7


def test_instruction_without_a_position_has_no_column():
    code = SimpleNamespace(co_positions=lambda: iter([(1, None, None, None)]))
    entry = SimpleNamespace(tb_frame=SimpleNamespace(f_code=code), tb_lasti=0, tb_lineno=1)
    assert places._column(entry, "x = 1") is None


def test_a_key_that_is_asked_for_as_an_attribute_is_shown_in_brackets(shop):
    error = failed(shop, handler("return ctx.logger"), {"logger": None})
    assert error.hint == 'mappings such as ctx and args take brackets: ["logger"]'


@pytest.mark.parametrize("body", ["return (1).logger", "raise AttributeError('x')"])
def test_other_missing_attributes_have_no_such_hint(shop, body):
    assert failed(shop, handler(body)).hint is None


def test_a_traceback_shows_a_changed_file_as_it_is_now(shop):
    import traceback

    for line in ("return 1 / 0", "return [][7]"):
        error = failed(shop, handler(line))
        shown = "".join(traceback.format_exception(error.__cause__))
        assert line in shown
