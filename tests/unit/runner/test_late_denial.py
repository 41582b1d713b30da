"""A refusal that comes where no tenant function was called is the same error."""

import pytest

from tm.cli import boundary
from tm.errors import Location
from tm.runner import pipeline
from tm.runner.guard import ForbiddenError
from tm.runner.places import as_security_error


def test_refusal_outside_of_a_call_is_a_security_error():
    error = as_security_error(ForbiddenError("open a file"), Location("tools.yaml", 3))
    assert error.code == "TM511"
    assert "open a file" in error.message
    assert as_security_error(ValueError(), None) is None


@pytest.mark.parametrize("words", [["list-tools"], ["list-tools", "--json"]])
def test_command_ends_with_the_error_and_no_traceback(monkeypatch, capsys, words):
    def refuse(_words):
        raise ForbiddenError("open a file")

    monkeypatch.setattr(boundary, "_run_command", refuse)
    assert boundary.run(words) == 1
    shown = capsys.readouterr()
    assert "TM511" in shown.err
    assert "Traceback" not in shown.err
    assert ('"TM511"' in shown.out) == ("--json" in words)


def test_other_stops_pass_the_boundary(monkeypatch):
    def stop(_words):
        raise GeneratorExit

    monkeypatch.setattr(boundary, "_run_command", stop)
    with pytest.raises(GeneratorExit):
        boundary.run(["list-tools"])


def test_run_without_functions_has_no_refusal():
    class Run:
        functions = ()

    assert pipeline._denial(Run(), ForbiddenError("x")) is None
