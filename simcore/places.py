"""Where a run is kept: a directory of this machine, or a URL of an object store such as ``s3://bucket/runs/one``.

`place` tells which. A `Url` has the few methods of `pathlib.Path` that readers of runs use, so they need not know. The
file systems are those of pyarrow (``s3 gs abfs hdfs``); any other that fsspec knows is taken where fsspec is installed.
Credentials come from the environment of the process, as each store's own tools read them, never from a URL.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from simcore.errors import InputError

if TYPE_CHECKING:
    import pyarrow.fs

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+(.*)", re.DOTALL)
NATIVE = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs")
"""Kinds of storage that pyarrow reaches by itself."""
S3_SETTINGS = ("endpoint_override", "scheme", "region", "anonymous")
"""What may stand behind the question mark of an ``s3://`` URL."""
_WITH_ACCOUNT = ("abfs", "abfss", "hdfs")
"""Kinds whose URLs name a container, or a user, before an at sign."""
_ATTEMPTS = 6
_LONGEST = 240


class Url:
    """A place in an object store, or another storage that is named by a URL.

    Parameters
    ----------
    scheme : str
        Kind of storage: ``s3``.
    key : str
        Bucket and name: ``bucket/runs/one``.
    query : str
        Settings of the file system, as ``endpoint_override=localhost:9000&scheme=http``.
    """

    __slots__ = ("key", "query", "scheme")

    def __init__(self, scheme: str, key: str, query: str = "") -> None:
        self.scheme, self.key, self.query = scheme, key.strip("/"), query
        bucket = self.key.partition("/")[0]
        if not bucket:
            raise InputError(f"{scheme}:// names no place; write {scheme}://BUCKET/NAME")
        account, at, _ = bucket.rpartition("@")
        if at and (":" in account or scheme not in _WITH_ACCOUNT):
            raise InputError(
                f"{scheme}://{bucket.rpartition('@')[2]}...: credentials do not belong in a URL, which is kept in logs and "
                "manifests; give them in the environment (docs/howto/cluster.md)"
            )

    def __str__(self) -> str:
        return f"{self.scheme}://{self.key}" + (f"?{self.query}" if self.query else "")

    def __repr__(self) -> str:
        return f"Url({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Url) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __truediv__(self, name: str) -> Url:
        return Url(self.scheme, f"{self.key}/{name}", self.query)

    @property
    def name(self) -> str:
        """The last part."""
        return self.key.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """End of the name, from its last dot on."""
        return Path(self.name).suffix

    @property
    def parent(self) -> Url:
        """All but the last part."""
        return Url(self.scheme, self.key.rpartition("/")[0], self.query)

    def resolve(self) -> Url:
        """Itself: a URL depends on no working directory."""
        return self

    @property
    def found(self) -> tuple[pyarrow.fs.FileSystem, str]:
        """File system, and the path in it."""
        if self.scheme in NATIVE:
            bucket, _, name = self.key.partition("/")
            files, base = _file_system(f"{self.scheme}://{bucket}" + (f"?{self.query}" if self.query else ""))
            return files, f"{base.rstrip('/')}/{name}".rstrip("/")
        return _by_fsspec(self.scheme, str(self))

    @contextmanager
    def asked(self) -> Iterator[tuple[pyarrow.fs.FileSystem, str]]:
        """File system and path for one question; what the storage refuses becomes a message, what is missing does not."""
        try:
            yield self.found
        except FileNotFoundError:
            raise
        except (OSError, NotImplementedError) as error:
            said = " ".join(str(error).split())
            raise InputError(f"{self}: {said[:_LONGEST]}") from error

    def is_file(self) -> bool:
        """Whether an object has this name."""
        return self._type("File")

    def is_dir(self) -> bool:
        """Whether there are objects below this name."""
        return self._type("Directory")

    def exists(self) -> bool:
        """Whether something is there."""
        return self._type("File", "Directory")

    def is_symlink(self) -> bool:
        """No."""
        return False

    def _type(self, *names: str) -> bool:
        with self.asked() as (files, path):
            return files.get_file_info(path).type.name in names

    def read_bytes(self) -> bytes:
        """Content of an object."""
        with self.asked() as (files, path), files.open_input_stream(path) as stream:
            content: bytes = stream.read()
            return content

    def read_text(self, encoding: str = "utf-8") -> str:
        """Content of an object that is text."""
        return self.read_bytes().decode(encoding)

    def open(self, mode: str = "rb") -> Any:
        """An object as a file that is read from its beginning."""
        assert mode == "rb", "objects are read as bytes"
        with self.asked() as (files, path):
            return files.open_input_stream(path)

    def write_bytes(self, data: Any) -> None:
        """Store an object; a store shows it when it is complete, and not before."""
        try:
            with self.asked() as (files, path), files.open_output_stream(path) as stream:
                stream.write(data)  # all at once: what is closed early by an error holds nothing or everything
        except FileNotFoundError as error:
            raise InputError(f"{self}: there is no such bucket") from error

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete an object."""
        try:
            with self.asked() as (files, path):
                files.delete_file(path)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def names(self) -> list[str]:
        """Names of all objects below, relative to this one, sorted."""
        from pyarrow.fs import FileSelector

        with self.asked() as (files, path):
            found = files.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
        start = path.rstrip("/") + "/"
        return sorted(info.path.removeprefix(start) for info in found if info.type.name == "File")


Place: TypeAlias = Path | Url


def place(source: str | Path | Url) -> Place:
    """The place that a path or URL names.

    Parameters
    ----------
    source : str, Path or Url
        A path, or a URL; ``file://`` is a path of this machine. A URL that was taken for a path is still known as one.

    Returns
    -------
    Path or Url
        Where to read and write.
    """
    if isinstance(source, Url):
        return source
    found = _URL.fullmatch(str(source))
    if found is None:
        return Path(source)
    scheme, rest = found[1].lower(), found[2]
    if scheme == "file":
        from urllib.parse import unquote

        return Path("/" + unquote(rest))
    key, _, query = rest.partition("?")
    return Url(scheme, key, query)


def is_url(source: object) -> bool:
    """Whether a text, path or place names something that is not a path of this machine."""
    if isinstance(source, Url):
        return True
    return isinstance(source, str | Path) and isinstance(place(source), Url)


def opened(source: Path | Url) -> Any:
    """A file to read here and there: the path, or of a URL an open object."""
    if isinstance(source, Path):
        return source
    with source.asked() as (files, path):
        return files.open_input_file(path)


@lru_cache(maxsize=16)
def _file_system(root: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """The file system of a bucket, kept, since it holds the connections; and the path of the bucket in it."""
    from pyarrow.fs import FileSystem

    try:
        found: tuple[pyarrow.fs.FileSystem, str] = _s3(root) if root.startswith("s3:") else FileSystem.from_uri(root)
        return found
    except (ValueError, OSError, NotImplementedError) as error:
        said = " ".join(str(error).split())
        raise InputError(f"{root}: {said[:_LONGEST]}") from error


def _s3(root: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """S3 as the URL and the environment say, with one request for a small object in place of three, and patience."""
    from urllib.parse import parse_qs, urlsplit

    from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem, resolve_s3_region

    parts = urlsplit(root)
    given = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    unknown = next((key for key in given if key not in S3_SETTINGS), None)
    if unknown is not None:
        raise InputError(f"{root}: {unknown} is no setting of s3; allowed: {', '.join(S3_SETTINGS)}")
    endpoint = given.get("endpoint_override") or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = given.get("region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region is None and endpoint is None:
        region = resolve_s3_region(parts.netloc)
    files = S3FileSystem(
        anonymous=given.get("anonymous") == "true",
        endpoint_override=endpoint,
        scheme=given.get("scheme"),
        region=region or "us-east-1",
        allow_delayed_open=True,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS),
    )
    return files, parts.netloc


def _by_fsspec(scheme: str, url: str) -> tuple[pyarrow.fs.FileSystem, str]:
    from simcore.config.fields import nearest

    try:
        from fsspec.core import url_to_fs
        from pyarrow.fs import FSSpecHandler, PyFileSystem

        files, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        near = nearest(scheme, NATIVE)
        known = f"known: {', '.join(NATIVE)}, file" + (f"; did you mean {near}?" if near else "")
        raise InputError(f"{url}: no storage of the kind {scheme}:// is known ({error}); {known}") from error
    return PyFileSystem(FSSpecHandler(files)), path
