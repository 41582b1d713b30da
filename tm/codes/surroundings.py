"""TM513 to TM524: errors of tests, files, chats and of what surrounds a run."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM513",
        name="not-recorded",
        title="A replay met a request that is not recorded",
        language="shell",
        what=(
            "The cassette of this tool and case has no exchange with this method, URL and body. "
            "The message shows the nearest one."
        ),
        why="A replay opens no connection, so there is nothing to answer with.",
        fix="Record it again where the API can be reached, and commit the cassette.",
        bad="""
tm test-tool getOrder -t shop --arg number=7002 --replay
""",
        good="""
tm test-tool getOrder -t shop --arg number=7002 --record
tm test-tool getOrder -t shop --arg number=7002 --replay
""",
    ),
    Page(
        code="TM514",
        name="expectation-failed",
        title="The result is not what the case expects",
        what=(
            "`expect`, `status`, `error` or `max_ms` of the fixture does not hold, or a chat made "
            "other calls than --expect-calls says. The difference is shown."
        ),
        why="Either the tool broke, or the API now answers something else.",
        fix=(
            "Mend the tool, or take the present result over with --update. For values that change "
            "write a marker."
        ),
        bad="""
tools:
  getRate:
    description: Fetch the rate of the day.
    fixtures:
      - name: euro
        args: {code: EUR}
        expect: {code: EUR, rate: 1.0842, date: "2026-05-04"}
""",
        good="""
tools:
  getRate:
    description: Fetch the rate of the day.
    fixtures:
      - name: euro
        args: {code: EUR}
        expect: {code: EUR, rate: "<number>", date: "<date>"}
""",
    ),
    Page(
        code="TM515",
        name="api-missing",
        title="The tool's api is not declared",
        what=(
            "At run time the api that the tool names is under `apis` in no file of the tenant, or "
            "its file is broken. The message names the nearest one."
        ),
        why="There is no address to send the request to.",
        fix=("Declare it, or correct the name; TM106 is the same fault as the linter sees it."),
        bad="""
tools:
  findDeal: {description: Find a deal., api: crm2, method: GET, path: /deals}
""",
        good="""
apis:
  crm: {base_url: "https://crm.example.com/v2"}
tools:
  findDeal: {description: Find a deal., api: crm, method: GET, path: /deals}
""",
    ),
    Page(
        code="TM516",
        name="host-not-allowed",
        title="A request to a host that is not declared",
        what=(
            'ctx["http"] or a next page wanted a host that is under no api of the tenant and not '
            "in settings.http_allow."
        ),
        why=(
            "Otherwise an argument could send the customer's data to anyone, or reach machines of "
            "the internal network."
        ),
        fix="Declare the host as an api, or allow it if it needs no credentials.",
        bad="""
settings: {}
""",
        good="""
settings:
  http_allow: [rates.example.com]
""",
    ),
    Page(
        code="TM517",
        name="not-permitted",
        title="This user may not do that",
        what=(
            "writeTenantConfig and deleteTenantConfig run only for users listed under "
            "settings.config_writers; a call without a user is refused too. So is a file that "
            "would change this list, or turn settings.isolate off. In a chat: the user said no "
            "to a call (--confirm), or the model made the same call again and again."
        ),
        why="They change what all customers of the tenant get.",
        fix=(
            "Add the user's id by hand, or let someone who is listed do it. On the command line "
            "the user is named with --user."
        ),
        bad="""
settings:
  config_writers: []
""",
        good="""
settings:
  config_writers: [u-anna]
""",
    ),
    Page(
        code="TM518",
        name="outside-files",
        title="A path outside files/",
        language="shell",
        what=(
            "A shared tool got a path that is absolute, has `..`, a hidden name, a backslash, a "
            "percent code, a NUL or a control character, that leads through a link or to no plain "
            "file, or whose name is not for this tool: config and programs for writeFile, anything "
            "but .yaml, .yml and .py outside the runtime folders for writeTenantConfig."
        ),
        why="Paths come from models: `../../other/.env` must not be read.",
        fix=(
            "Give a path relative to files/ (for config: to the tenant's folder), with `/` between "
            "the parts. Folders in between are made."
        ),
        bad="""
tm test-tool readFile -t shop --arg path=../../other/prices.csv
""",
        good="""
tm test-tool readFile -t shop --arg path=imports/prices.csv
""",
    ),
    Page(
        code="TM519",
        name="model-server",
        title="The model's server did not give a usable answer",
        what=(
            "It refused the request, answered with an error inside a 200, with HTML, without "
            "choices, or broke the stream off; or a --script ran out. The message has the "
            "server's own words."
        ),
        why=("429 and 5xx are tried again up to three times; other refusals would come again."),
        fix="Check the provider's base_url, api_key and the model's name.",
        bad="""
settings:
  providers:
    main: {base_url: "https://llm.example.com", api_key: "${LLM_KEY}"}
""",
        good="""
settings:
  providers:
    main: {base_url: "https://llm.example.com/v1", api_key: "${LLM_KEY}"}
""",
    ),
    Page(
        code="TM520",
        name="refused-file",
        title="A config file was refused and not written",
        language="python",
        what=(
            "What writeTenantConfig was to write does not parse, has a wrong shape, declares a "
            "name that another file has, or the scan found something that tenant code may not do. "
            "Every finding is listed with its line; the old file is unchanged."
        ),
        why="A broken or unsafe file would take its tools out of service, or worse.",
        fix="Mend the content by the findings and write it again.",
        bad="""
import os


def region(results, args, ctx):
    return {"region": os.environ["REGION"]}
""",
        good="""
def region(results, args, ctx):
    ctx["logger"].info("region starts")
    ctx["logger"].success("region ends")
    return {"region": ctx["config"]["vars"]["region"]}
""",
    ),
    Page(
        code="TM521",
        name="process-died",
        title="The process that ran the tool died",
        language="shell",
        what=(
            "The worker of an isolated run was ended by a limit (memory, log lines) or the system, "
            "or because it sent what no worker sends; this system can't lock a worker in, so that "
            "`--isolate` refuses to run (exit code 2); or, in the execution log, the run was "
            "stopped by Ctrl-C, or tm itself was killed while the tool ran."
        ),
        why="How far the tool came is not known: a write may have been done.",
        fix=(
            "Look at the log lines up to that point, then for endless loops and large data. Check "
            "at the API before you run a write again. Isolation needs Linux 5.13 or later with "
            "Landlock, on x86-64 or arm64."
        ),
        bad="""
tm test-tool sumAll -t shop --isolate
""",
        good="""
tm log --failed -t shop
tm log show 812 -t shop
""",
    ),
    Page(
        code="TM522",
        name="pdf-unreadable",
        title="A PDF can't be read or is not known",
        language="shell",
        what=(
            "The file is encrypted, damaged, too large (50 MB, 5,000 pages) or holds only images; "
            "or there is no PDF with this key in this chat."
        ),
        why="An empty text would look to the model like an empty document.",
        fix=(
            "Give --password for an encrypted file; run text recognition over scans first. `tm "
            "pdf list` shows the keys."
        ),
        bad="""
tm pdf add contract.pdf --chat c-17
""",
        good="""
tm pdf add contract.pdf --chat c-17 --password 'letter and spirit'
""",
    ),
    Page(
        code="TM523",
        name="prompt-placeholder",
        title="A prompt has a {{...}} that is not known",
        what=(
            "At run time a system prompt has a placeholder in double braces that nothing fills. "
            "The message lists those that are known."
        ),
        why="The model would read the bare braces and make something up.",
        fix=(
            "Correct the name, or declare it under settings.vars; TM403 is the same fault as the "
            "linter sees it."
        ),
        bad="""
assistants:
  desk: {system_prompt: "You work for {{shop}}.", model: gpt-5-mini, tools: []}
""",
        good="""
settings:
  vars: {shop: Blumen Albers}
assistants:
  desk: {system_prompt: "You work for {{vars.shop}}.", model: gpt-5-mini, tools: []}
""",
    ),
    Page(
        code="TM524",
        name="unknown-assistant-or-task",
        title="There is no assistant, task or tenant of this name",
        language="shell",
        what=(
            "The name after -a, -t or `tm schedule run` is not declared in the workspace. The "
            "message names the nearest ones."
        ),
        why="Another tenant's assistants and tasks are never used in its place.",
        fix="Correct the name. If its file is broken, `tm lint` shows why it is missing.",
        bad="""
tm chat -t shop -a suport
""",
        good="""
tm chat -t shop -a support
""",
    ),
)
