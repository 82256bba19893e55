"""A server that speaks S3's protocol, on loopback, for tests of runs in object stores."""

from __future__ import annotations

import logging
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from simcore import places

BUCKET = "bucket"


@contextmanager
def s3_server() -> Iterator[str]:
    """Start one, with a bucket, and point the environment at it; gives host and port."""
    from moto.server import ThreadedMotoServer
    from pyarrow.fs import S3FileSystem

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }.items():
            patch.setenv(name, value)
        places._file_system.cache_clear()
        # Servers of one process share what they hold.
        urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
        S3FileSystem(endpoint_override=f"http://{host}:{port}", allow_bucket_creation=True).create_dir(BUCKET)
        try:
            yield f"{host}:{port}"
        finally:
            places._file_system.cache_clear()
            server.stop()
