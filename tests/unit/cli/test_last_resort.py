"""The end of a command that can't end itself."""

import sys

from tm.cli.last_resort import EndOfProcess


def test_disarmed_process_lives_on():
    end = EndOfProcess()
    end.arm(3600)
    end.disarm()


def test_without_a_stream_to_tell_it_on_nothing_is_armed(monkeypatch):
    monkeypatch.setattr(sys, "__stderr__", None)
    EndOfProcess().arm(0.001)
    EndOfProcess().disarm()
