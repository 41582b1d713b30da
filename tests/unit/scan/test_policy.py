"""The tables of the policy hold only what they say."""

from __future__ import annotations

import builtins
import importlib
import types

import pytest

from tm.scan.families import builtin_family, member_family, module_family
from tm.scan.modules import MODULES, PACKAGES, words
from tm.scan.policy import BUILTINS, DENIED_ATTRIBUTES, DUNDER_METHODS, STOP_EXCEPTIONS

# Members that only newer Pythons have; on 3.11 a use of them fails as an ordinary error.
_NEWER = {
    "batched", "fma", "sumprod", "kde", "override", "TypeIs", "ReadOnly", "PatternError",
    "EnumDict", "UTC",
}  # fmt: skip


_DANGEROUS = """open eval exec compile __import__ globals locals vars dir input breakpoint setattr
    delattr memoryview BaseException help exit quit license copyright credits SystemExit"""


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"tm"}))
def test_member_exists_and_is_no_module(module: str) -> None:
    loaded = importlib.import_module(module)
    for member in MODULES[module]:
        value = getattr(loaded, member, None)
        assert member in _NEWER or hasattr(loaded, member)
        assert not isinstance(value, types.ModuleType)


def test_module_of_tm_gives_its_two_names_only() -> None:
    assert MODULES["tm"] == {"Ctx", "ToolError"}


def test_packages_are_steps_to_modules() -> None:
    assert {"urllib", "xml", "xml.etree"} <= PACKAGES
    assert not PACKAGES & set(MODULES)


@pytest.mark.parametrize(
    "name",
    sorted(words(_DANGEROUS)),
)
def test_dangerous_builtin_is_not_allowed(name: str) -> None:
    assert name not in BUILTINS
    assert builtin_family(name).startswith("TM30")


def test_allowed_builtins_exist() -> None:
    assert all(hasattr(builtins, name) for name in BUILTINS)
    assert not BUILTINS & STOP_EXCEPTIONS


def test_no_dunder_method_opens_a_way_behind_objects() -> None:
    assert not DUNDER_METHODS & {
        "__getattribute__", "__setattr__", "__delattr__", "__del__", "__init_subclass__",
        "__class_getitem__", "__reduce__", "__reduce_ex__", "__ror__", "__set_name__",
    }  # fmt: skip
    assert "gi_frame" in DENIED_ATTRIBUTES


def test_family_is_that_of_the_nearest_known_module() -> None:
    assert module_family("subprocess") == "TM303"
    assert module_family("urllib.request.deeper") == "TM305"
    assert module_family("nobody_knows") == "TM306"
    assert member_family("os", "remove") == "TM301"
    assert member_family("os", "environ") == "TM302"
    assert member_family("os", "system") == "TM303"
    assert member_family("logging", "config") == "TM304"
    assert member_family("logging", "handlers") == "TM305"
