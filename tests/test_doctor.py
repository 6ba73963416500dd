"""The doctor tells what stops a match from what does not, and leaves nothing behind."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import namedtuple
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tikitaka import doctor
from tikitaka.doctor import Check


@pytest.fixture
def taken() -> tuple[socket.socket, int]:
    server = socket.create_server(("127.0.0.1", 0))
    return server, server.getsockname()[1]


@pytest.fixture
def bin_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def test_a_page_port_that_listens_elsewhere_stops_a_match_until_it_is_closed(taken: tuple[socket.socket, int]) -> None:
    server, port = taken
    with server:
        check = doctor.check_page_port(port)
        assert (check.state, str(port) in check.detail, "--port" in check.fix) == ("warn", True, True)
    assert doctor.check_page_port(port) == Check("page port", "ok", f"127.0.0.1:{port} is free")


def test_tcp_and_udp_ports_are_told_apart() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        ports = {other.getsockname()[1]: "SSL vision"}
        udp = doctor.check_league_ports("ports", socket.SOCK_DGRAM, ports)
        tcp = doctor.check_league_ports("ports", socket.SOCK_STREAM, ports)
    assert (udp.state, tcp.state) == ("warn", "ok")
    assert "SSL vision" in udp.detail


@pytest.mark.parametrize(
    ("requirement", "state"),
    [
        ("pytest>=2.0", "ok"),
        ("pytest", "ok"),
        ("pytest[testing]>=2; python_version > '3'", "ok"),
        ("pytest>=999.1", "fail"),
        ("no-such-package", "fail"),
    ],
)
def test_a_package_must_be_there_and_new_enough(requirement: str, state: str) -> None:
    assert doctor.check_packages([requirement]).state == state


def test_versions_are_compared_as_numbers() -> None:
    assert doctor._numbers("2.14.3") > doctor._numbers("2.9.10")


@pytest.mark.parametrize(("version", "state"), [((3, 10, 14), "fail"), ((3, 11, 0), "ok"), ((4, 0, 0), "ok")])
def test_python_must_be_3_11_or_newer(version: tuple[int, ...], state: str) -> None:
    assert doctor.check_python(version).state == state


def test_a_run_folder_that_can_be_made_is_fine_and_is_not_made(tmp_path: Path) -> None:
    assert doctor.check_runs(tmp_path / "a" / "runs").state == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_run_folder_stops_a_match(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    assert doctor.check_runs(tmp_path / "runs").state == "fail"
    assert doctor.check_runs(tmp_path / "runs" / "today").state == "fail"


@pytest.mark.parametrize(("free", "state"), [(0.0, "fail"), (5e8, "warn"), (5e9, "ok")])
def test_a_full_disk_stops_a_match(free: float, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(free))
    assert doctor.check_runs(tmp_path).state == state


def test_compiled_kernels_are_counted_by_their_index_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert doctor.check_cache().detail.startswith("0 kernels, 0.0 MB")
    for stage in ("sim", "estimate"):
        folder = next((tmp_path / "tikitaka").glob(f"{stage}-*"))
        (folder / "x.nbi").write_bytes(bytes(100_000))
        (folder / "x.1.nbc").write_bytes(bytes(100_000))
        (folder / "x.part.nbi").write_bytes(bytes(50_000))
    assert doctor.check_cache() == Check("kernel cache", "ok", f"2 kernels, 0.5 MB in {tmp_path / 'tikitaka'}")


def test_kernels_that_can_be_kept_nowhere_stop_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    assert doctor.check_cache().state == "fail"


def test_a_browser_is_found_by_name_and_asked_for_its_version(bin_only: Path) -> None:
    assert doctor.check_browser(["chromium"]).state == "warn"
    program(bin_only / "chromium", "echo 'Chromium 1.2 '")
    assert doctor.check_browser(["other", "chromium"]).detail == f"Chromium 1.2 at {bin_only / 'chromium'}"
    program(bin_only / "chromium", "echo broken >&2; exit 3")
    assert doctor.check_browser(["chromium"]).state == "warn"


def test_no_gpu_is_no_complaint_and_a_silent_driver_is_one(bin_only: Path) -> None:
    assert doctor.check_gpu().state == "ok"
    program(bin_only / "nvidia-smi", "echo 'cannot talk to the driver'; exit 9")
    assert doctor.check_gpu() == Check(
        "gpu",
        "warn",
        "nvidia-smi: cannot talk to the driver",
        "install the NVIDIA driver that fits the running kernel",
    )


@pytest.mark.parametrize(("answer", "state"), [("echo True", "ok"), ("echo False", "warn"), ("exit 1", "warn")])
def test_a_gpu_counts_only_when_kernels_can_use_it(
    answer: str, state: str, bin_only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bin_only / "nvidia-smi", "echo 'Some Card, 1.2'")
    program(bin_only / "python", answer)
    monkeypatch.setattr(sys, "executable", str(bin_only / "python"))
    check = doctor.check_gpu()
    assert (check.state, check.detail.split(";")[0]) == (state, "Some Card, 1.2")


def test_importing_the_doctor_and_asking_for_the_gpu_imports_no_numba() -> None:
    code = "import sys; from tikitaka import doctor; doctor.check_gpu(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_json_is_one_object_with_every_check(
    taken: tuple[socket.socket, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, port = taken
    with server:
        assert doctor.main(json=True, runs=tmp_path, port=port) == 0
    states = {check["name"]: check["state"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert len(states) == 10
    assert (states["page port"], states["run folder"], states["python"]) == ("warn", "ok", "ok")


@pytest.mark.parametrize(("states", "code"), [((), 0), (("ok", "warn"), 0), (("warn", "fail", "ok"), 1)])
def test_only_a_failure_gives_exit_code_1(
    states: tuple[doctor.State, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "examine", lambda *_: [Check("x", state, "") for state in states])
    assert doctor.main(json=False) == code


def test_the_table_shows_the_fix_of_what_is_wrong() -> None:
    out = StringIO()
    Console(file=out, width=100).print(doctor.report([Check("[a]", "fail", "is wrong", "mend it")]))
    assert out.getvalue().split() == ["fail", "[a]", "is", "wrong", "->", "mend", "it"]
