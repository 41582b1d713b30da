"""Calling a tenant's function: armed, and with every way out of it turned into tm's errors.

What lives here: one call. What must not: loading functions, steps of the pipeline.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import AsyncGeneratorType, CoroutineType, GeneratorType, NoneType
from typing import Any, Final, NoReturn

from tm.errors import Location, TmError, ToolError
from tm.model import FunctionRef
from tm.runner.facades import echo
from tm.runner.guard import armed
from tm.runner.places import (
    MAX_TEXT,
    RAISED,
    describe,
    ends_in_tenant,
    forbidden,
    innermost,
    raised,
)
from tm.runner.thread_state import FreshThread

NOT_JSON: Final = "TM512"
# Of an error that passes as it is: a status error quotes 2,000 characters of the body.
MAX_MESSAGE: Final = 20_000
_CODE: Final = re.compile(r"TM\d{3}")


def call_function(
    fn: Callable[..., Any],
    *args: object,
    ref: FunctionRef,
    convert: Callable[[object], object] | None = None,
    print_to: Callable[[str], object] | None = None,
) -> Any:
    """Call a tenant's function and return what it returns.

    Args:
        fn: from `FunctionLoader.load`.
        *args: fresh copies; the function may change them.
        ref: names the function in errors.
        convert: makes JSON of the result (`results.to_json`), while the guard still holds; None:
            the result is returned as it is.
        print_to: takes the text that `print` writes; None: stderr.

    Raises:
        ToolError: from a tool or API that it called, with its code; TM509 with the place for
            anything else that the function raises; TM512 for a generator or coroutine.
        SecurityError: TM511, where it tried something forbidden, even if it went on afterwards.
        KeyboardInterrupt: from the user.
    """
    guard = armed()
    failure: BaseException | None = None
    result: object = None
    before, echo.write = echo.write, print_to
    with FreshThread(), guard:
        try:
            result = fn(*args)
            result = convert(_plain_value(result, ref)) if convert else _plain_value(result, ref)
        except KeyboardInterrupt:
            raise  # tenant code can't name it: it is the user's Ctrl-C
        except BaseException as error:  # noqa: BLE001  a tenant's function may raise anything
            failure = error
        finally:
            echo.write = before
    if guard.denial is not None:
        raise forbidden(guard.denial, ref.at) from guard.denial
    if failure is not None:
        _raise(failure, fn, ref)
    return result


def _raise(failure: BaseException, fn: Callable[..., Any], ref: FunctionRef) -> NoReturn:
    """Raise what the caller of the pipeline gets for an exception of the function."""
    if isinstance(failure, ToolError):
        error = _tool_error(failure, fn, ref)
        raise error from (failure.__cause__ if error is failure else failure)
    if isinstance(failure, TmError):
        raise failure  # from tm's own code below the function
    place = innermost(failure.__traceback__)
    raise ToolError(
        raised(failure, place),
        code=RAISED,
        hint=_way_out(failure),
        at=place.at if place else _def_place(fn, ref),
    ) from failure


def _way_out(failure: BaseException) -> str | None:
    """Return what to write instead of the usual slip; the exception's own code is not run."""
    if type(failure) is AttributeError and type(failure.obj) is dict and type(failure.name) is str:
        return f'mappings such as ctx and args take brackets: ["{failure.name:.60}"]'
    return None


def _tool_error(failure: ToolError, fn: Callable[..., Any], ref: FunctionRef) -> ToolError:
    """Return a ToolError with its code, and with its place where the tenant's code raised it."""
    at = _place_of(failure, fn, ref)
    if _is_sound(failure):
        failure.at = failure.at or at
        return failure
    own: dict[str, object] = object.__getattribute__(failure, "__dict__")
    message, code, hint = own.get("message"), own.get("code"), own.get("hint")
    return ToolError(
        message[:MAX_TEXT] if type(message) is str else describe(failure),
        code=code if type(code) is str and _CODE.fullmatch(code) else RAISED,
        hint=hint[:MAX_TEXT] if type(hint) is str else None,
        at=at,
    )


def _is_sound(error: ToolError) -> bool:
    """Tell whether an error is of tm's own making, with nothing of the tenant's code in it."""
    return (
        type(error).__module__.startswith("tm.")
        and type(error.message) is str
        and len(error.message) <= MAX_MESSAGE
        and type(error.code) is str
        and _CODE.fullmatch(error.code) is not None
        and type(error.hint) in {str, NoneType}
        and type(error.at) in {Location, NoneType}
    )


def _place_of(error: ToolError, fn: Callable[..., Any], ref: FunctionRef) -> Location | None:
    """Return the place of an error without one; those of APIs and nested tools get none.

    What is no JSON has the line that hands it to ctx, or, for a result, the function's.
    """
    place = innermost(error.__traceback__)
    if place and (ends_in_tenant(error.__traceback__) or error.code == NOT_JSON):
        return place.at
    return _def_place(fn, ref) if error.code == NOT_JSON else None


def _def_place(fn: Callable[..., Any], ref: FunctionRef) -> Location:
    """Return the place of the function's `def`."""
    code = getattr(fn, "__code__", None)
    return Location(ref.path, code.co_firstlineno if code else None)


def _plain_value(result: object, ref: FunctionRef) -> object:
    """Return a result that is there already, and would not run the tenant's code later.

    Raises:
        ToolError: TM512.
    """
    if type(result) is GeneratorType:
        raise ToolError(
            f"'{ref.name}' returns a generator, not a value",
            code=NOT_JSON,
            hint="return list(...) of it, or `return` instead of `yield`",
        )
    if type(result) in {CoroutineType, AsyncGeneratorType}:
        raise ToolError(
            f"'{ref.name}' returns a coroutine, which nothing awaits",
            code=NOT_JSON,
            hint="write a plain `def`",
        )
    return result
