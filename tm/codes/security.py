"""TM3xx: what tenant code may not do, and secrets."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

_NOT_LOADED: Final = " The file is not loaded, so its tools are missing until it is mended."

PAGES: Final = (
    Page(
        code="TM301",
        name="writes-files",
        title="Tenant code writes, moves or deletes files",
        language="python",
        what=("The code creates, changes, renames or removes a file or folder." + _NOT_LOADED),
        why=("A path made of an argument reaches other tenants' data and the server's own files."),
        fix=(
            'Use the shared tools writeFile and deleteFile through ctx["tool"]; they stay inside '
            "the tenant's files/ folder and write nothing in a dry run."
        ),
        bad="""
def save(results, args, ctx):
    ctx["logger"].info("saving starts")
    with open("report.txt", "w") as file:
        file.write(args["text"])
    ctx["logger"].success("saving ends")
    return {"saved": True}
""",
        good="""
def save(results, args, ctx):
    ctx["logger"].info("saving starts")
    ctx["tool"]("writeFile", {"path": "report.txt", "content": args["text"]})
    ctx["logger"].success("saving ends")
    return {"saved": True}
""",
    ),
    Page(
        code="TM302",
        name="reads-files",
        title="Tenant code reads files",
        language="python",
        what=("The code opens a file or lists a folder." + _NOT_LOADED),
        why="It could read other tenants' files, `.env` and the keys of the server.",
        fix=(
            'Use the shared tools readFile and listFiles through ctx["tool"]; settings are in '
            'ctx["config"].'
        ),
        bad="""
from pathlib import Path


def prices(results, args, ctx):
    ctx["logger"].info("prices start")
    text = Path("prices.csv").read_text()
    ctx["logger"].success("prices end")
    return {"text": text}
""",
        good="""
def prices(results, args, ctx):
    ctx["logger"].info("prices start")
    file = ctx["tool"]("readFile", {"path": "prices.csv"})
    ctx["logger"].success("prices end")
    return {"text": file["content"]}
""",
    ),
    Page(
        code="TM303",
        name="starts-processes",
        title="Tenant code starts a process or thread",
        language="python",
        what=("The code runs another program, forks, or starts threads of its own." + _NOT_LOADED),
        why=(
            "Another program has all rights of the server, and a thread outlives the run and its "
            "limits."
        ),
        fix="Compute it in Python, or let a service do it that is declared under apis.",
        bad="""
import subprocess


def convert(results, args, ctx):
    ctx["logger"].info("conversion starts")
    subprocess.run(["convert", args["name"]])
    ctx["logger"].success("conversion ends")
    return {"done": True}
""",
        good="""
def convert(results, args, ctx):
    ctx["logger"].info("conversion starts")
    answer = ctx["http"].post("/conversions", json={"name": args["name"]})
    ctx["logger"].success("conversion ends")
    return {"job": answer.json()["id"]}
""",
    ),
    Page(
        code="TM304",
        name="runs-code",
        title="Tenant code runs or injects other code",
        language="python",
        what=(
            "The code uses eval, exec, compile, a pickle, or another way to turn data into code."
            + _NOT_LOADED
        ),
        why="What an API or a model sends would run on the server.",
        fix="Read data as data: json.loads, a dict of functions, or plain arithmetic.",
        bad="""
def price(results, args, ctx):
    ctx["logger"].info("price starts")
    value = eval(args["formula"])
    ctx["logger"].success("price ends")
    return {"price": value}
""",
        good="""
RATES = {"normal": 1.19, "reduced": 1.07}


def price(results, args, ctx):
    ctx["logger"].info("price starts")
    value = args["net"] * RATES[args["rate"]]
    ctx["logger"].success("price ends")
    return {"price": value}
""",
    ),
    Page(
        code="TM305",
        name="own-network",
        title='Network beside `ctx["http"]`',
        language="python",
        what=('The code opens a connection by other means than ctx["http"].' + _NOT_LOADED),
        why=(
            "It would go around the declared hosts, the limits, the log, the masking of secrets "
            "and --dry-run."
        ),
        fix='Declare the host under apis and use ctx["http"], which sends its auth too.',
        bad="""
import requests


def rate(results, args, ctx):
    ctx["logger"].info("rate starts")
    answer = requests.get("https://rates.example.com/eur")
    ctx["logger"].success("rate ends")
    return {"rate": answer.json()["rate"]}
""",
        good="""
def rate(results, args, ctx):
    ctx["logger"].info("rate starts")
    answer = ctx["http"].get("/eur")
    ctx["logger"].success("rate ends")
    return {"rate": answer.json()["rate"]}
""",
    ),
    Page(
        code="TM306",
        name="forbidden-import",
        title="An import that is not allowed",
        language="python",
        what=(
            "The module, or this member of it, is not on the list of what tenant code may import, "
            "or a relative import leaves the tenant's folder." + _NOT_LOADED
        ),
        why=(
            "A library can do whatever the server may do; the list holds those that only compute."
        ),
        fix=(
            "Use an allowed module (datetime, decimal, json, math, re, statistics and others), a "
            "helper file of the tenant (`from .helpers import x`), or an API."
        ),
        bad="""
import os


def region(results, args, ctx):
    ctx["logger"].info("region starts")
    ctx["logger"].success("region ends")
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
        code="TM307",
        name="interpreter-access",
        title="Tenant code reaches into the interpreter",
        language="python",
        what=(
            "The code uses attributes or names that lead from an ordinary object to Python's own "
            "parts: __mro__, __globals__, frames, code objects, changed ctx." + _NOT_LOADED
        ),
        why="From there every other rule can be undone.",
        fix="Use isinstance() to ask for types, and keys or plain attributes for data.",
        bad="""
def kind(results, args, ctx):
    ctx["logger"].info("kind starts")
    name = args["value"].__class__.__mro__[0].__name__
    ctx["logger"].success("kind ends")
    return {"kind": name}
""",
        good="""
def kind(results, args, ctx):
    ctx["logger"].info("kind starts")
    name = "text" if isinstance(args["value"], str) else "number"
    ctx["logger"].success("kind ends")
    return {"kind": name}
""",
    ),
    Page(
        code="TM308",
        name="code-at-import",
        title="Code that runs when the file is imported",
        language="python",
        what=(
            "At the top level of a file stand only a docstring, imports, `def`, `class` and "
            "assignments of data. This line does something." + _NOT_LOADED
        ),
        why=(
            "It would run whenever the file is read, even to list the tools, outside every limit."
        ),
        fix="Move it into a function.",
        bad="""
RATES = {"EUR": 1.0}
for code in ("USD", "CHF"):
    RATES[code] = 0.0
""",
        good="""
RATES = {"EUR": 1.0, "USD": 0.0, "CHF": 0.0}
""",
    ),
    Page(
        code="TM310",
        name="secret-in-config",
        title="A secret written into a config file",
        what=(
            "The value looks like a key, token or password, or stands where only a secret stands. "
            "It is shown as ***."
        ),
        why=("Config files are in git: the secret is then known to everyone who ever clones them."),
        fix=(
            "Write ${NAME}, put the value into .env or the environment, and replace the secret at "
            "its issuer: it has to count as known."
        ),
        bad="""
apis:
  erp:
    base_url: https://erp.example.com/api
    auth: {type: bearer, token: sk-live-51Hq8aXw2ZrT0pLm}
""",
        good="""
apis:
  erp:
    base_url: https://erp.example.com/api
    auth: {type: bearer, token: "${ERP_TOKEN}"}
""",
    ),
    Page(
        code="TM311",
        name="plain-http-credentials",
        title="Credentials over plain http to another machine",
        what=(
            "The api has auth, or a header that carries a secret, and its base_url begins with "
            "http:// and is not on this machine."
        ),
        why="Everyone on the way reads the credentials.",
        fix="Use https. A private certificate authority can be named with `verify`.",
        bad="""
apis:
  erp:
    base_url: http://erp.example.com/api
    auth: {type: bearer, token: "${ERP_TOKEN}"}
""",
        good="""
apis:
  erp:
    base_url: https://erp.example.com/api
    auth: {type: bearer, token: "${ERP_TOKEN}"}
""",
    ),
    Page(
        code="TM312",
        name="leaves-tenant",
        title="A link or path that leaves the tenant",
        what=(
            "A symbolic link, or a FILE in FILE:FUNCTION (absolute, or with ..), leads out of the "
            "tenant's folder. It is not followed."
        ),
        why="One customer's tools would run another's code or read its data.",
        fix=(
            "Copy the file into the tenant, or make what both need a shared tool in "
            "tenants/_shared."
        ),
        bad="""
tools:
  getInvoice:
    description: Fetch an invoice.
    postprocess: ../../other/tools/tax.py:add_tax
""",
        good="""
tools:
  getInvoice:
    description: Fetch an invoice.
    postprocess: tax.py:add_tax
""",
    ),
)
