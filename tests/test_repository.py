"""What no reviewer has to look for: the locks, the public names, who imports what, and the size of things."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tikitaka"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.name.endswith("_pb2.py"))
LOCKS = ("requirements.lock", "requirements-dev.lock")
JIT = {PACKAGE / "geom" / f"{name}.py" for name in ("compiling", "jit", "parts")}  # the modules that know numba
CUDA = PACKAGE / "sim" / "card.py"  # the one module that knows numba.cuda


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def is_kernel(path: Path) -> bool:
    return "kernels" in (path.stem, path.parent.name)


def locked(lock: str) -> dict[str, set[str]]:
    """Return the hashes of every ``name==version ; marker`` of a lock."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return {
        line.partition(" --hash")[0].strip(): set(re.findall(r"--hash=sha256:([0-9a-f]{64})\b", line)) for line in lines
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_is_one_version_with_hashes(lock: str) -> None:
    pins = locked(lock)
    assert len(pins) > 20
    assert [pin for pin, hashes in pins.items() if not re.match(r"[a-z0-9-]+==[^ ]+( ; .+)?$", pin) or not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_no_address_and_no_torch(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert re.findall(r"^.*(?:://|--index|--find-links|@ |^torch|/).*$", text, re.MULTILINE) == []


def test_the_development_lock_holds_all_of_the_other_one() -> None:
    play, develop = map(locked, LOCKS)
    assert {pin: hashes for pin, hashes in play.items() if develop.get(pin) != hashes} == {}


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    play = project["project"]["dependencies"] + project["build-system"]["requires"] + groups["build"]
    for lock, asked in zip(LOCKS, (play, play + groups["dev"]), strict=True):
        pinned = {pin.partition("==")[0] for pin in locked(lock)}
        assert {re.split(r"[^\w-]", one)[0] for one in asked} - pinned == set()


def test_every_folder_of_modules_is_a_package() -> None:
    assert {named(path.parent) for path in MODULES if not (path.parent / "__init__.py").exists()} == set()


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=dotted)
def test_all_lists_exactly_the_public_names_in_order(path: Path) -> None:
    names, listed = set[str](), list[str]()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            listed = ast.literal_eval(node.value)
    assert set(listed) == {name for name in names if not name.startswith("_")}
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("path", [path for path in MODULES if is_kernel(path)], ids=dotted)
def test_kernels_import_only_geom_each_other_math_and_numpy(path: Path) -> None:
    family = dotted(path).partition(".kernels")[0] + ".kernels"
    allowed = re.compile(rf"(math|numpy|tikitaka\.geom|{re.escape(family)})(\.|$)")
    assert [name for name in imports(path) if not allowed.match(name)] == []


@pytest.mark.parametrize("path", sorted(set(PACKAGE.glob("geom/*.py")) - JIT), ids=dotted)
def test_geom_imports_only_itself_math_numpy_and_names_of_types(path: Path) -> None:
    allowed = re.compile(r"(math|numpy|collections\.abc|typing|tikitaka\.geom)(\.|$)")
    assert [name for name in imports(path) if not allowed.match(name)] == []


def test_numba_is_imported_by_three_modules_of_geom_and_its_cuda_by_one() -> None:
    asks = re.compile(r"^\s*(?:import|from) numba\b|import_module\(.numba\b", re.MULTILINE)
    assert {path for path in MODULES if asks.search(path.read_text())} == {*JIT, CUDA}
    assert all("cuda" not in path.read_text().replace("CUDA", "") for path in JIT)


def test_no_module_is_longer_than_300_lines() -> None:
    assert {named(path): n for path in MODULES if (n := len(path.read_text().splitlines())) > 300} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    long = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                long[f"{named(path)}:{node.name}"] = node.end_lineno - node.lineno + 1
    assert {name: n for name, n in long.items() if n > 40} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [named(path) for path in MODULES if path.stem in {"utils", "helpers", "common", "misc"}] == []


def test_no_file_names_a_registry_or_a_folder_of_one_machine() -> None:
    folders = [ROOT / name for name in ("src", "tests", "docs", "bench", "examples", ".ci")]
    files = [*ROOT.glob("*.*"), ROOT / "Makefile", *(path for folder in folders for path in folder.rglob("*"))]
    kinds = {".py", ".md", ".toml", ".lock", ".json", ".js", ".html", ".css", ".proto", ".txt", ""}
    texts = [path for path in files if path.is_file() and path.suffix in kinds and path != Path(__file__)]
    traces = re.compile(r"/root/|/home/\w|/work/|/opt/|pypi\.org|pythonhosted")
    found = {named(path): traces.findall(path.read_text(errors="replace")) for path in texts}
    assert {name: words for name, words in found.items() if words} == {}


def test_help_names_only_targets_that_exist() -> None:
    text = (ROOT / "Makefile").read_text()
    told = re.findall(r"echo 'make (\w+)", text)
    targets = re.findall(r"^([\w-]+):", text, re.MULTILINE)
    assert set(told) - set(targets) == set()
    assert {"play", "test", "bench", "lock", "clean"} <= set(told)
