"""Loading tenant functions: what runs, when it runs anew, and what is kept apart."""

import ast
import sys
import threading

import pytest

from tests.tenant_functions import AT, Workshop, handler, parse_only
from tm.errors import ConfigError, SecurityError
from tm.runner import sources
from tm.runner.functions import FunctionLoader
from tm.runner.sources import SourceFiles
from tm.scan import Scan
from tm.scan.hits import hit_at_line


@pytest.fixture
def shop(tmp_path):
    return Workshop(tmp_path)


def refused(call, *args, **options):
    with pytest.raises(ConfigError) as caught:
        call(*args, **options)
    return caught.value


def test_function_runs_from_its_file(shop):
    assert shop.run(handler("return {'sum': 1 + 2}")) == {"sum": 3}


def test_byte_order_mark_and_crlf_are_accepted(shop):
    assert shop.run(b"\xef\xbb\xbfdef f(results, args, ctx):\r\n    return 'x'\r\n") == "x"


def test_same_content_gives_the_same_function_and_keeps_module_state(shop):
    source = "seen = []\n" + handler("seen.append(1)\nreturn len(seen)")
    assert [shop.run(source), shop.run(source)] == [1, 2]


def test_changed_file_is_seen_at_the_next_load(shop):
    assert shop.run(handler("return 'one'")) == "one"
    assert shop.run(handler("return 'two'")) == "two"


def test_settled_file_is_not_read_again(shop, monkeypatch):
    monkeypatch.setattr(sources, "_SETTLED_NS", -1)
    shop.write("acme/a.py", handler("return 1"))
    first = shop.load()
    monkeypatch.setattr(sources, "read_bytes", None)
    assert shop.load() is first


def test_settled_file_that_changes_is_read_again(shop, monkeypatch):
    monkeypatch.setattr(sources, "_SETTLED_NS", -1)
    assert shop.run(handler("return 1")) == 1
    assert shop.run(handler("return 22")) == 22


def test_replaced_module_leaves_no_name_behind(shop):
    before = set(sys.modules)
    for number in range(3):
        shop.run(handler(f"return {number}"))
    assert len({name for name in sys.modules if "#acme" in name} - before) == 1


def test_changed_helper_runs_its_importers_anew(shop):
    source = handler("return rate()", "from .rates import rate")
    shop.write("acme/rates.py", "def rate():\n    return 1\n")
    assert shop.run(source) == 1
    shop.write("acme/rates.py", "def rate():\n    return 2\n")
    assert shop.run(source) == 2


def test_unchanged_helper_keeps_its_state_when_its_importer_changes(shop):
    shop.write(
        "acme/counter.py", "seen = []\ndef count():\n    seen.append(1)\n    return len(seen)\n"
    )
    first = shop.run(handler("return count()", "from .counter import count"))
    second = shop.run(handler("return [count()]", "from .counter import count"))
    assert (first, second) == (1, [2])


def test_helper_that_two_files_share_is_looked_at_once_per_load(shop):
    shop.write("acme/base_rate.py", "RATE = 2\n")
    shop.write("acme/left.py", "from .base_rate import RATE\nLEFT = RATE\n")
    shop.write("acme/right.py", "from .base_rate import RATE\nRIGHT = RATE\n")
    source = handler("return LEFT + RIGHT", "from .left import LEFT\nfrom .right import RIGHT")
    assert shop.run(source) == 4
    assert shop.run(source) == 4


def test_import_inside_a_function_is_served_while_it_runs(shop):
    shop.write("acme/late.py", "def late():\n    return 'late'\n")
    assert shop.run(handler("from .late import late\nreturn late()")) == "late"


def test_files_may_import_each_other_inside_functions(shop):
    shop.write("acme/b.py", "from .a import RATE\ndef b():\n    return RATE\n")
    assert shop.run(handler("from .b import b\nreturn b()", "RATE = 7")) == 7


def test_helper_in_another_folder_of_the_tenant_is_reached_with_two_dots(shop):
    shop.write("acme/lib/money.py", "def euro(value):\n    return f'{value} EUR'\n")
    shop.write("acme/tools/a.py", handler("return euro(3)", "from ..lib.money import euro"))
    assert shop.load("acme/tools/a.py")({}, {}, {}) == "3 EUR"


def test_equal_file_names_in_two_folders_never_mix(shop):
    for folder in ("b2b", "b2c"):
        shop.write(f"acme/{folder}/rate.py", f"NAME = '{folder}'\n")
        shop.write(f"acme/{folder}/a.py", handler("return NAME", "from .rate import NAME"))
    assert shop.load("acme/b2b/a.py")({}, {}, {}) == "b2b"
    assert shop.load("acme/b2c/a.py")({}, {}, {}) == "b2c"


def test_file_named_like_a_standard_module_does_not_shadow_it(shop):
    shop.write("acme/json.py", "def dumps(value):\n    return 'tenant'\n")
    assert shop.run(handler("return json.dumps([1])", "import json")) == "[1]"


def test_planted_bytecode_is_not_run(shop):
    shop.write("acme/__pycache__/a.cpython-311.pyc", b"planted")
    assert shop.run(handler("return 'source'")) == "source"
    assert "tenants.acme.a" not in sys.modules


def test_shared_file_has_its_own_state_for_each_tenant(shop):
    shop.write("_shared/count.py", "seen = []\n" + handler("seen.append(1)\nreturn len(seen)"))
    for tenant, calls in (("nord", 2), ("sued", 1)):
        fn = shop.load("_shared/count.py", tenant=tenant)
        assert [fn({}, {}, {}) for _ in range(calls)][-1] == calls


def test_threads_share_one_module(shop):
    shop.write("acme/a.py", handler("return 1"))
    found = []
    threads = [threading.Thread(target=lambda: found.append(shop.load())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_dataclass_with_text_annotations_works(shop):
    before = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    source = before + "@dataclass\nclass Line:\n    sku: str\n    qty: 'int' = 1\n"
    assert shop.run(source + handler("return Line('A')")) == {"sku": "A", "qty": 1}


# -- what is refused


def test_missing_file_names_the_ones_beside_it(shop):
    shop.write("acme/invoice.py", handler("return 1"))
    error = refused(shop.load, "acme/invoce.py")
    assert (error.code, error.at) == ("TM117", AT)
    assert "tenants/acme/invoce.py" in error.message
    assert "did you mean 'invoice.py'?" in error.message


def test_missing_folder_is_a_missing_file(shop):
    shop.write("acme/a.py", handler("return 1"))
    assert refused(shop.load, "acme/tools/a.py").code == "TM117"


def test_missing_function_names_the_nearest_of_the_file(shop):
    shop.write("acme/a.py", "def add_tax(result, args, ctx):\n    return result\n")
    error = refused(shop.load, name="add_taxes")
    assert (error.code, error.at) == ("TM117", AT)
    assert "did you mean 'add_tax'?" in error.message


@pytest.mark.parametrize("path", ["/etc/a.py", "tenants/nord/a.py", "tenants/acme2/a.py", "a.py"])
def test_file_outside_the_home_is_not_loaded(shop, path):
    ref = shop.ref()
    outside = type(ref)("acme", path, "f", AT)
    error = refused(shop.loader.load, outside, "handler", tenant="acme")
    assert (error.code, error.at) == ("TM312", AT)


@pytest.mark.parametrize("path", ["acme/../nord/a.py", "acme/./a.py", "acme//a.py", "acme/.x.py"])
def test_path_that_is_not_plain_is_not_loaded(shop, path):
    shop.write("nord/a.py", handler("return 1"))
    assert refused(shop.load, path, home="acme").code == "TM312"


def test_link_is_not_followed(shop):
    target = shop.write("nord/a.py", handler("return 1"))
    shop.write("acme/b.py", handler("return 1"))
    (shop.root / "tenants/acme/a.py").symlink_to(target)
    error = refused(shop.load)
    assert error.code == "TM312"
    assert "link" in error.message
    assert str(shop.root) not in str(error)


def test_linked_tenant_folder_is_not_followed(shop):
    shop.write("nord/a.py", handler("return 1"))
    (shop.root / "tenants/acme").symlink_to(shop.root / "tenants/nord")
    assert refused(shop.load).code == "TM312"


def test_link_that_replaces_a_loaded_file_is_not_followed(shop):
    shop.run(handler("return 1"))
    other = shop.write("nord/a.py", handler("return 2"))
    (shop.root / "tenants/acme/a.py").unlink()
    (shop.root / "tenants/acme/a.py").symlink_to(other)
    assert refused(shop.load).code == "TM312"


def test_file_that_the_scan_refuses_is_not_run(shop):
    error = refused(shop.run, "import os\n\n" + handler("return os.getcwd()"))
    assert error.code == "TM306"
    assert str(error.at) == "tenants/acme/a.py:1:8"
    assert error.hint


def test_file_that_can_not_be_read_is_no_link_out_of_the_tenant(shop, monkeypatch):
    def refuse(*_, **__):
        raise SecurityError("'a.py' can't be opened", code="TM312") from PermissionError(13, "no")

    monkeypatch.setattr(sources, "read_bytes", refuse)
    error = refused(shop.run, handler("return 1"))
    assert error.code == "TM902"
    assert "a.py can't be read: permission denied" in error.message


def test_all_hits_are_details_of_the_first():
    hits = (hit_at_line("TM302", "first", 2), hit_at_line("TM301", "second", 5, 3))
    error = sources._refused(Scan(None, hits), "tenants/acme/a.py")
    assert (error.code, error.message) == ("TM302", "first")
    assert [(d.path, d.message) for d in error.details] == [
        ("tenants/acme/a.py:2:1", "TM302: first"),
        ("tenants/acme/a.py:5:3", "TM301: second"),
    ]


def test_syntax_error_has_its_place(shop):
    error = refused(shop.run, "def f(results, args, ctx):\n    return (\n")
    assert error.code == "TM001"
    assert error.at.path == "tenants/acme/a.py"
    assert error.at.line


def test_what_only_the_compiler_finds_is_a_syntax_error(tmp_path):
    error = refused(Workshop(tmp_path, parse_only).run, "return 1\n")
    assert error.code == "TM001"
    assert (error.at.path, error.at.line) == ("tenants/acme/a.py", 1)


def test_tree_that_can_not_be_compiled_is_a_syntax_error(tmp_path):
    def broken(source, path, *, depth):
        scan = parse_only(source, path, depth=depth)
        scan.tree.body[0].body[0].value.ctx = ast.Store()
        return scan

    error = refused(Workshop(tmp_path, broken).run, "def f():\n    return f\n")
    assert error.code == "TM001"
    assert str(error.at) == "tenants/acme/a.py"


def test_warnings_of_the_compiler_are_no_errors(shop):
    assert shop.run(handler("return 1 if results is not args else 2")) == 1


@pytest.mark.parametrize(
    ("source", "role", "words"),
    [
        ("def f(results, args):\n    return 1\n", "handler", "f(results, args, ctx)"),
        ("def f(results, args, ctx):\n    return 1\n", "preprocess", "f(args, ctx)"),
        ("async def f(results, args, ctx):\n    return 1\n", "handler", "def"),
    ],
)
def test_wrong_parameters_are_refused_at_the_def(tmp_path, source, role, words):
    shop = Workshop(tmp_path, parse_only)
    shop.write("acme/a.py", "\n" + source)
    error = refused(shop.load, role=role)
    assert (error.code, error.at.path, error.at.line) == ("TM201", "tenants/acme/a.py", 2)
    assert words in error.hint


def test_circle_of_imports_names_its_files(shop):
    shop.write("acme/b.py", "from .a import X\nY = 1\n")
    error = refused(shop.run, handler("return 1", "from .b import Y\nX = 1"))
    assert error.code == "TM306"
    assert "acme/a.py -> tenants/acme/b.py -> tenants/acme/a.py" in error.message
    assert error.at.path == "tenants/acme/b.py"


def test_missing_helper_names_the_importing_line(shop):
    shop.write("acme/helpers.py", "X = 1\n")
    error = refused(shop.run, handler("return X", "\nfrom .helper import X"))
    assert (error.code, str(error.at)) == ("TM117", "tenants/acme/a.py:2")
    assert "did you mean 'helpers.py'?" in error.message


def test_missing_name_of_a_helper_names_the_nearest(shop):
    shop.write("acme/helpers.py", "def euro(x):\n    return x\n")
    error = refused(shop.run, handler("return euros(1)", "from .helpers import euros"))
    assert (error.code, str(error.at)) == ("TM117", "tenants/acme/a.py:1")
    assert "did you mean 'euro'?" in error.message


def test_import_that_climbs_out_of_the_tenant_is_refused(tmp_path):
    shop = Workshop(tmp_path, parse_only)
    shop.write("nord/a.py", "FACTOR = 37\n")
    error = refused(shop.run, handler("return FACTOR", "from ..nord.a import FACTOR"))
    assert (error.code, str(error.at)) == ("TM312", "tenants/acme/a.py:1")


def test_import_without_a_file_says_how_to_write_it(tmp_path):
    error = refused(Workshop(tmp_path, parse_only).run, handler("return 1", "from . import money"))
    assert error.code == "TM306"
    assert "from .file import name" in error.hint


def test_file_that_raises_while_it_loads_shows_file_line_and_source(shop):
    error = refused(shop.run, handler("return 1", "TOTAL = 0\nSHARE = 1 / TOTAL"))
    assert error.code == "TM509"
    assert (error.at.path, error.at.line) == ("tenants/acme/a.py", 2)
    assert "ZeroDivisionError: division by zero" in error.message
    assert "SHARE = 1 / TOTAL" in error.message
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_helper_that_raises_is_named_and_not_its_importer(shop):
    shop.write("acme/b.py", "X = int('a')\n")
    error = refused(shop.run, handler("return X", "from .b import X"))
    assert str(error.at) == "tenants/acme/b.py:1:5"


def test_file_that_failed_is_loaded_once_it_is_mended(shop):
    before = set(sys.modules)
    refused(shop.run, handler("return 1", "X = 1 / 0"))
    assert not {name for name in sys.modules if "#acme" in name} - before
    assert shop.run(handler("return 1")) == 1


def test_forbidden_act_while_a_file_loads_is_a_security_error(tmp_path):
    shop = Workshop(tmp_path, parse_only)
    with pytest.raises(SecurityError) as caught:
        shop.run("import os\n" + handler("return 1"))
    assert caught.value.code == "TM511"
    assert (caught.value.at.path, caught.value.at.line) == ("tenants/acme/a.py", 1)
    assert "import os" in caught.value.message


def test_forbidden_act_in_a_helper_counts_though_it_is_swallowed(tmp_path):
    shop = Workshop(tmp_path, parse_only)
    shop.write("acme/b.py", "try:\n    open('x')\nexcept Exception:\n    pass\nX = 1\n")
    with pytest.raises(SecurityError) as caught:
        shop.run(handler("return X", "try:\n    from .b import X\nexcept Exception:\n    X = 2"))
    assert caught.value.code == "TM511"


def test_two_loaders_share_nothing(tmp_path):
    shop = Workshop(tmp_path)
    shop.write("acme/a.py", "seen = []\n" + handler("seen.append(1)\nreturn len(seen)"))
    first, second = (
        FunctionLoader(SourceFiles(tmp_path)).load(shop.ref(), "handler", tenant="acme")
        for _ in range(2)
    )
    assert (first({}, {}, {}), first({}, {}, {}), second({}, {}, {})) == (1, 2, 1)


def test_file_that_another_tenant_has_loaded_stays_that_tenants(shop):
    shop.write("acme/a.py", handler("return 1"))
    shop.load()
    error = refused(shop.load, "acme/a.py", home="nord")
    assert error.code == "TM312"
