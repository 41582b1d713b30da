"""The pipeline: the steps of SPEC section 4, on one screen.

args -> validate -> placeholders -> preprocess -> request -> mapping -> postprocess -> handler
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tm.errors import TmError, ToolError
from tm.grammar.placeholders import fill_pdf_placeholders
from tm.http.messages import ApiRequest, Response
from tm.model import ABSENT, BUILTIN, Api, FunctionRef, Json
from tm.runner.advice import misses_told, not_json, placed, unknown_fields
from tm.runner.events import Report
from tm.runner.mapping import apply_mapping, failure_in, has_expressions
from tm.runner.request import build_request
from tm.runner.results import deep_copy_json, to_json
from tm.runner.run import ToolRun, stopped_by
from tm.runner.scope import Role
from tm.schema.arguments import check_arguments


def run_pipeline(run: ToolRun, given: Json) -> Json:
    """Run every step of a tool and return its result, raw.

    Raises:
        TmError: whatever a step fails with.
    """
    _warn_of_unknown_fields(run)
    if run.functions is not None:
        run.functions.check()
    args = _validate(run, given)
    args = _fill_placeholders(run, args)
    args, query = _preprocess(run, args)
    response = _request(run, args, query)
    result = _map(run, response)
    result = _postprocess(run, response, result, args)
    return _handle(run, result, args)


def execute(run: ToolRun, args: Json) -> Report:
    """Run a prepared tool to its end, with its row in the log, and return its report.

    A failure is in the report and in `run.error`; only bugs of tm and Ctrl-C are raised.
    """
    run.start(args)
    run.scope.active.append(run)
    try:
        run.result = run_pipeline(run, args)
    except TmError as problem:
        run.error = problem
        return run.finish("failed")
    except BaseException as problem:
        denial = _denial(run, problem)
        if denial is not None:
            run.error = denial
            return run.finish("failed")
        run.error = stopped_by(problem)
        run.finish("killed")
        raise
    finally:
        run.scope.active.remove(run)
    return run.finish("ok")


def _denial(run: ToolRun, problem: BaseException) -> TmError | None:
    """Return the error for an act of a tenant's code that was refused outside of its calls.

    A method of a class that it handed over can run wherever tm works with the object.
    """
    if not run.functions:
        return None
    from tm.runner.places import as_security_error  # noqa: PLC0415  loaded with the functions

    return as_security_error(problem, run.tool.at)


def _warn_of_unknown_fields(run: ToolRun) -> None:
    if len(run.scope.active) == 1:  # of the tool that was named; nested ones would repeat it
        for line in unknown_fields(run.tool):
            run.log("warning", line)


def _validate(run: ToolRun, given: Json) -> dict[str, Any]:
    with run.step("validate"):
        checked = check_arguments(run.tool.parameters, given, at=run.tool.at)
        if checked.failures:
            raise ToolError(
                f"the arguments of '{run.tool.name}' are not valid: "
                + "; ".join(map(str, checked.failures)),
                code="TM501",
                hint=f"tm show {run.tool.name} lists its parameters",
                details=checked.failures,
            )
        run.args = checked.args
    args: dict[str, Any] = deep_copy_json(checked.args)
    return args


def _fill_placeholders(run: ToolRun, args: dict[str, Any]) -> dict[str, Any]:
    scope = run.scope
    filled = fill_pdf_placeholders(args, scope.pdf_text, scope.latest_pdf)
    if not filled.hits and not filled.misses:
        run.skip("placeholders")
        return args
    with run.step("placeholders"):
        for hit in filled.hits:
            run.log("info", f"{hit.text} filled", {"argument": hit.path, "characters": hit.chars})
        why = "this chat has no such PDF" if scope.options.chat_id else "this run is of no chat"
        for miss in filled.misses:
            run.log("warning", f"{miss.text} left as it is: {why}", {"argument": miss.path})
    return filled.args


def _preprocess(run: ToolRun, args: dict[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    if run.tool.preprocess is None:
        run.skip("preprocess")
        return args, {}
    with run.step("preprocess"):
        returned = _call(run, "preprocess", args)
        if not isinstance(returned, dict):
            raise _wrong_return(run.tool.preprocess, "the arguments, a mapping", returned)
        query = returned.pop("_query", None) or {}
        if not isinstance(query, dict):
            raise _wrong_return(run.tool.preprocess, "_query as a mapping", query)
    return returned, query


def _request(run: ToolRun, args: dict[str, Any], query: Mapping[str, Any]) -> Response | None:
    tool, api, scope = run.tool, run.api, run.scope
    if api is None:
        run.skip("request")
        return None
    with run.step("request") as step:
        needs_values = run.client.needs_values(tool.method, read_only=tool.read_only)

        def expand(text: str) -> str:
            return scope.filled(text, tool.at, needs_values=needs_values)

        with placed(tool, "path"):
            request = build_request(tool, args, query, expand=expand)
        response = _sent(run, api, request)
        if response.stubbed:
            step.status = "stubbed"
    return response


def _sent(run: ToolRun, api: Api, request: ApiRequest) -> Response:
    tool = run.tool
    pages = tool.pagination or api.pagination

    def check(response: Response) -> None:
        _check_fail_when(run, response)

    if pages is not None:
        return run.client.send_pages(
            api, request, pages, fixture=tool.response_fixture, check=check
        )
    response = run.client.send(api, request, fixture=tool.response_fixture)
    check(response)
    return response


def _check_fail_when(run: ToolRun, response: Response) -> None:
    """Raise TM504 where an API that answers 200 says in the body that it failed."""
    path = run.tool.fail_when
    if path is None or _is_bare_stub(run, response):
        return
    found = to_json(failure_in(path, response), what="what fail_when finds")
    if found is not None:
        raise ToolError(
            f"the API answered {response.status}, but its answer says that the call failed: "
            f"{path} is {_shortened(found)}",
            code="TM504",
        )


def _map(run: ToolRun, response: Response | None) -> Json:
    if response is None or run.tool.mapping is None or _is_bare_stub(run, response):
        run.skip("mapping")
        return {} if response is None else response.body

    def missing(key: str, path: str, reason: str) -> None:
        said = f"mapping: {key} is null, {path} finds nothing"
        run.misses.append(f"{said}; {reason}" if reason else said)
        run.log("debug", said, {"reason": reason})

    with run.step("mapping"):
        result = apply_mapping(run.tool.mapping, response, missing=missing)
        if has_expressions(run.tool):  # what they make may be of any size
            result = to_json(result, what="the mapping's result")
        if run.misses and (why := not_json(response)):
            run.log("warning", why)
    return result


def _postprocess(
    run: ToolRun, response: Response | None, result: Json, args: dict[str, Any]
) -> Json:
    is_stub = response is not None and _is_bare_stub(run, response)
    if run.tool.postprocess is None or is_stub:
        run.skip("postprocess")
        return result
    with run.step("postprocess"):
        return _call(run, "postprocess", result, args)


def _handle(run: ToolRun, results: Json, args: dict[str, Any]) -> Json:
    if run.tool.home == BUILTIN:
        return _run_builtin(run, args)
    if run.tool.handler is None:
        run.skip("handler")
        return results
    with run.step("handler"):
        result = _call(run, "handler", results, args)
    if not run.logged_by_handler:
        run.log(
            "warning",
            f"handler '{run.tool.handler.name}' logged nothing: add "
            'ctx["logger"].info("...") at its start and its end',
        )
    return result


def _run_builtin(run: ToolRun, args: dict[str, Any]) -> Json:
    """Run one of tm's own tools: trusted code, so neither guard nor worker is around it."""
    from tm.builtin.context import BuiltinContext  # noqa: PLC0415  few runs are of these
    from tm.builtin.functions import run_builtin  # noqa: PLC0415  as above

    scope = run.scope
    with run.step("handler"):
        context = BuiltinContext(
            root=scope.root,
            tenant=scope.tenant,
            user_id=scope.options.user_id,
            settings=scope.facts.settings(scope.tenant),
            dry_run=scope.options.dry_run,
            now=scope.clock.now,
            redactor=scope.redactor,
            log=run.log,
        )
        return run_builtin(run.tool.name, args, context)


def _call(run: ToolRun, role: Role, *values: Json) -> Json:
    """Call a tenant function; its result is JSON data."""
    from tm.runner.host import ToolHost  # noqa: PLC0415  loaded with the function

    assert run.functions is not None  # noqa: S101  the tool names a function
    with misses_told(run.misses):
        return run.functions.call(role, values, ToolHost(run, execute))


def _is_bare_stub(run: ToolRun, response: Response) -> bool:
    """Say whether a write was stubbed without a fixture, so that no API answer is there."""
    return response.stubbed and run.tool.response_fixture is ABSENT


def _wrong_return(ref: FunctionRef, wanted: str, returned: Json) -> ToolError:
    what = "nothing" if returned is None else _shortened(returned, 60)
    return ToolError(
        f"preprocess function '{ref.name}' in {ref.path} must return {wanted}; it returned {what}",
        code="TM512",
        hint="end it with `return args`",
        at=ref.at,
    )


def _shortened(value: Json, limit: int = 500) -> str:
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= limit else text[:limit] + "..."
