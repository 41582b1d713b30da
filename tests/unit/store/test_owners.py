"""A process is known by more than its number."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tm.store import owners
from tm.store.owners import is_gone, this_process


def with_part(index: int, value: str) -> str:
    parts = this_process().split(" ")
    parts[index] = value
    return " ".join(parts)


def test_this_process_lives():
    assert is_gone(this_process()) is False


def test_process_that_has_ended_is_gone():
    code = "from tm.store.owners import this_process; print(this_process())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert is_gone(ended.stdout.strip()) is True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="start times come from /proc")
def test_number_that_another_process_has_now_is_gone():
    assert is_gone(with_part(4, "1")) is True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="boot ids come from /proc")
def test_process_of_an_earlier_boot_is_gone():
    assert is_gone(with_part(1, "an-earlier-boot")) is True


@pytest.mark.parametrize(
    "owner",
    ["", "something else", with_part(0, "elsewhere"), with_part(0, "-"), with_part(2, "pid:[1]")],
    ids=["empty", "other words", "another host", "no host", "another container"],
)
def test_process_of_elsewhere_is_not_known(owner):
    assert is_gone(owner) is None


def test_zombie_is_gone():
    child = subprocess.Popen([sys.executable, "-c", "pass"], stdout=subprocess.PIPE)
    child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert owners._started(child.pid) == "-"
    child.wait()
    child.stdout.close()


class TestWithoutProc:
    @pytest.fixture(autouse=True)
    def _no_proc(self, tmp_path, monkeypatch):
        monkeypatch.setattr(owners, "_PROC", tmp_path)

    def test_this_process_lives(self):
        assert this_process().split(" ")[1:3] == ["-", "-"]
        assert is_gone(this_process()) is False

    def test_process_without_its_start_is_asked_for_by_number(self):
        assert is_gone(with_part(3, "4194305")) is True

    def test_process_of_another_user_lives(self, monkeypatch):
        def refuse(_pid, _signal):
            raise PermissionError

        monkeypatch.setattr(os, "kill", refuse)
        assert is_gone(with_part(3, "1")) is False

    def test_windows_is_never_asked(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "win32")
        assert is_gone(with_part(3, "4194305")) is False
