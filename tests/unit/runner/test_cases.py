"""Which arguments a run gets, and the case's name."""

import pytest

from tm.errors import Location, UsageError
from tm.model import Fixture, Tool
from tm.records import replace
from tm.runner.cases import choose_case, named_cases

TOOL = Tool(
    name="getRate",
    tenant="acme",
    home="acme",
    at=Location("tenants/acme/rates.yaml", 2, 3),
    description="Rate.",
    parameters={"type": "object"},
    args_fixture={"code": "USD"},
    fixtures=(Fixture("weekend", {"code": "EUR", "day": "2026-01-31"}),),
)


def test_no_arguments_mean_args_fixture_and_the_default_case():
    case = choose_case(TOOL, None, None)
    assert (case.name, case.args, case.cassette) == ("default", {"code": "USD"}, "default")


def test_default_names_args_fixture_too():
    assert choose_case(TOOL, None, "default").args == {"code": "USD"}


def test_given_arguments_that_equal_args_fixture_are_the_default_case():
    assert choose_case(TOOL, {"code": "USD"}, None).cassette == "default"


def test_other_arguments_have_a_cassette_of_their_own_whatever_the_order_of_keys():
    first = choose_case(TOOL, {"code": "CHF", "day": "x"}, None)
    second = choose_case(TOOL, {"day": "x", "code": "CHF"}, None)
    assert first.name is None
    assert first.cassette == second.cassette
    assert len(first.cassette.removeprefix("args-")) == 8
    assert first.cassette != choose_case(TOOL, {"code": "CHF"}, None).cassette


def test_tool_without_fixture_runs_with_no_arguments():
    assert choose_case(replace(TOOL, args_fixture=None), None, None).args == {}


def test_named_case_brings_its_arguments_and_its_fixture():
    case = choose_case(TOOL, None, "weekend")
    assert (case.name, case.cassette) == ("weekend", "weekend")
    assert case.args == {"code": "EUR", "day": "2026-01-31"}
    assert case.fixture is TOOL.fixtures[0]


def test_arguments_beside_a_case_replace_single_ones_and_expect_nothing():
    case = choose_case(TOOL, {"code": "CHF"}, "weekend")
    assert case.args == {"code": "CHF", "day": "2026-01-31"}
    assert (case.name, case.fixture) == (None, None)


def test_unknown_case_names_the_nearest_and_all():
    with pytest.raises(UsageError, match="did you mean 'weekend'") as raised:
        choose_case(TOOL, None, "wekend")
    assert "weekend" in raised.value.hint
    with pytest.raises(UsageError) as raised:
        choose_case(replace(TOOL, fixtures=()), None, "x")
    assert "no named cases" in raised.value.hint


def test_named_cases_are_args_fixture_and_all_fixtures():
    assert [case.name for case in named_cases(TOOL)] == ["default", "weekend"]
    assert [case.name for case in named_cases(replace(TOOL, args_fixture=None))] == ["weekend"]
