"""The one home of Numba's decorators: ``kernel``, the registry of kernels, and a cache that cannot be stale.

Numba's cache looks at a function's own file only: after an edit in an imported module it returns results of the old code
(numba #1833). So the cache folder here carries a digest of every source file of the package, of Numba's version and of the
flags that change code. The same digest goes into every run's manifest.

What is stored is unpickled and run, so it is believed only if it is whole (a checksum goes before it), if it is the code
that was asked for (the key goes with it: processes that start cold together may take the same file name), and if the
folder is this user's alone. Anything else is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import config as numba_config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

if platform.machine() in ("x86_64", "AMD64"):
    # LLVM turns selects back into branches where it guesses that they are predictable. Who wins a trick is not.
    llvm.set_option("simcore", "-x86-cmov-converter=false")

numba_config.LOOP_VECTORIZE = 0
"""Loops of kernels run over a few seats, suits or turns: as vectors they cost more than they gain, and take long to compile."""

KERNELS: list[Any] = []
"""Every kernel of the package, in order of definition (the house rules look here)."""

_CODE_FLAGS = ("NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT", "SIMCORE_PORTABLE")


_NOT_COMPILED = ("cli", "config", "runs", "places.py")
"""Folders and files without kernels, and from which kernels import nothing (the import contracts see to it)."""


@cache
def _sources() -> list[tuple[str, bytes]]:
    """Names and contents of all source files of the package."""
    root = Path(__file__).parent
    return [(path.relative_to(root).as_posix(), path.read_bytes()) for path in sorted(root.rglob("*.py"))]


def source_digest(compiled_only: bool = False, flags: bool = True) -> str:
    """Digest of the sources of the package, of Numba and of the flags that change compiled code.

    Parameters
    ----------
    compiled_only : bool
        Leave out the folders that hold no kernels: an edit there needs no new compilation.
    flags : bool
        Whether the flags take part; they change compiled code, but no result.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for name, content in _sources():
        if compiled_only and name.partition("/")[0] in _NOT_COMPILED:
            continue
        digest.update(name.encode())
        digest.update(content)
    for flag in _CODE_FLAGS if flags else ():
        digest.update(f"{flag}={os.environ.get(flag, '')}".encode())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Folder for compiled kernels: the user's cache, or a private temporary folder where that cannot be written."""
    chosen = os.environ.get("SIMCORE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "simcore"


def _private_root() -> Path:
    """A folder among the temporary files that is this user's alone: the usual one, or a fresh one where that was taken."""
    folder = Path(tempfile.gettempdir()) / f"simcore-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return folder
    return Path(tempfile.mkdtemp(prefix="simcore-"))


def _prepare_cache(digest: str) -> Path:
    """The folder for compiled kernels, made; where no folder can be written, one that is not there: nothing is stored."""
    for root in (_cache_root, _private_root):
        try:
            folder = root() / digest
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        numba_config.CACHE_DIR = str(folder)
        return folder
    return _cache_root() / digest


SOURCE_DIGEST = source_digest()
ENGINE_DIGEST = source_digest(compiled_only=True, flags=False)
"""Of everything that results depend on beside the configuration: two parts of a run may be joined where it is the same."""
CACHE_DIR = _prepare_cache(source_digest(compiled_only=True))
_STORED = str(CACHE_DIR) == numba_config.CACHE_DIR
_sources.cache_clear()
JIT_DISABLED = bool(numba_config.DISABLE_JIT)


_marked: set[str] = set()


def cache_is_warm(part: str = "warm") -> bool:
    """Whether this version of the kernels was compiled to the end before on this machine; `part`: which of them."""
    return JIT_DISABLED or os.path.exists(CACHE_DIR / part)  # Path.exists raises where a folder may not be entered


def mark_cache_warm(part: str = "warm") -> None:
    """Note that kernels were used to the end, so that they are compiled and stored."""
    if part not in _marked:
        with suppress(OSError):
            (CACHE_DIR / part).touch()
        _marked.add(part)


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files of one function, each behind the checksum of its content; data with their key."""

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return hashlib.sha256(data).digest() + data

    def _read(self, path: str) -> Any:
        """What `_dump` wrote; None where the file is missing or not whole."""
        try:
            content = Path(path).read_bytes()
        except OSError:
            return None
        size = hashlib.sha256().digest_size
        digest, data = content[:size], content[size:]
        return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None

    def _save_index(self, overloads: Any) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_index(self) -> Any:
        found = self._read(self._index_path)
        return found[2] if found is not None and found[:2] == (self._version, self._source_stamp) else {}

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def save(self, key: Any, data: Any) -> None:
        """Store compiled code with its key."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """The code of a key, or None."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None


class _QuickCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, but for what it imports before it looks: half a second for all that is needed only to compile."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        plain: Any = self._cache_file  # type: ignore[has-type]
        self._cache_file: Any = _CheckedFile(self._cache_path, plain._index_name.removesuffix(".nbi"), plain._source_stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None; then Numba has got ready to compile."""
        found = self._load_overload(sig, target_context)
        return super().load_overload(sig, target_context) if found is None else found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; where that cannot be, it is compiled once more by the next process."""
        with suppress(OSError):
            super().save_overload(sig, data)


class _LateCache:
    """A cache made when it is first asked: making one looks at the disk, and functions inlined into others are never asked."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _real(self) -> _QuickCache:
        return _QuickCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on the first call, or take the code from the cache; and register."""
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
    if _STORED and not JIT_DISABLED:
        compiled._cache = _LateCache(function)
    KERNELS.append(compiled)
    return compiled


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function as a kernel: cached on disk, without the interpreter lock, registered.

    Parameters
    ----------
    function : callable
        Plain Python in Numba's subset. No allocation, no Python objects in loops.

    Returns
    -------
    Dispatcher
        The compiled function; ``.py_func`` is the plain one.
    """
    return _compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile like `kernel`, and ask LLVM (not Numba) to inline it wherever it is called.

    For small functions of the inner loop with many arguments. Numba's own ``inline="always"`` costs two to five times
    the compile time and gains nothing; this flag is free.
    """
    return _compiled(function, forceinline=True)


@cache
def _name_runtime() -> None:
    """Tell LLVM where Numba's helpers for memory are: code from the cache may name them, and only compiling would tell."""
    from numba.core.runtime import _nrt_python

    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class Entry:
    """A C function ``f(words, points) -> uint64`` that kernels call by its address: they are compiled without it.

    Attributes
    ----------
    py_func : callable
        The plain function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__name__, self.__module__, self.__doc__ = function.__name__, function.__module__, function.__doc__

    @cached_property
    def address(self) -> int:
        """Compiled on first use, or taken from the cache; valid as long as the process lives."""
        _name_runtime()
        signature = normalize_signature("uint64(CPointer(uint64), voidptr)")
        compiled: Any = CFunc(self.py_func, signature, locals={}, options={"error_model": "numpy"})
        if _STORED:
            compiled._cache = _QuickCache(self.py_func)
        compiled.compile()
        self._compiled = compiled
        return int(compiled.address)


def entry(function: Callable[..., Any]) -> Entry:
    """Make a kernel that others call by address, so that nothing of it is compiled or loaded before somebody needs it.

    Parameters
    ----------
    function : callable
        Takes a pointer to uint64 and a pointer without a type (`simcore.bits.array_at`).

    Returns
    -------
    Entry
        Registered; ``.address`` compiles it.
    """
    made = Entry(function)
    KERNELS.append(made)
    return made


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that users' compiled bots call; not a kernel of the package, and not cached."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def callback(function: Callable[..., Any], n_view: int, n_memory: int) -> int:
    """Compile a user's function ``f(view, memory) -> uint64`` so that kernels can call it; -> its address.

    Parameters
    ----------
    function : callable
        Python in Numba's subset, over two arrays of uint64.
    n_view, n_memory : int
        Words of the two arrays.

    Returns
    -------
    int
        Address of a C function; valid as long as the process lives.
    """
    inner = helper(function)

    def entry(words: Any, notes: Any) -> Any:
        return inner(numba.carray(words, n_view), numba.carray(notes, n_memory))

    compiled = numba.cfunc("uint64(CPointer(uint64), CPointer(uint64))", error_model="numpy")(entry)
    _CALLBACKS.append(compiled)
    return int(compiled.address)


_CALLBACKS: list[Any] = []
"""Callbacks of this process, kept so that their code stays in memory."""
