"""Redis by its address, for matches and tournaments: TLS with a private authority, Sentinel with logins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from services.grpc_server.errors import StoreUnavailable
from services.store.open import open_store
from services.tournaments.ledger.redis import open_redis_ledger
from tests.certificates import CertificateFiles, write_certificates
from tests.redis_sentinel import FailoverRedis
from tests.redis_server import free_port, redis_server
from tests.services.tournaments.plans import SPEC

DAY_SECONDS = 24 * 60 * 60


@pytest.fixture
def certificates(tmp_path: Path) -> CertificateFiles:
    return write_certificates(tmp_path)


@pytest.fixture
def tls_address(tmp_path: Path, certificates: CertificateFiles) -> Iterator[str]:
    """Host and port of a Redis that is called with TLS."""
    port = free_port()
    files = ["--tls-cert-file", certificates.certificate, "--tls-key-file", certificates.key]
    options = [*files, "--tls-ca-cert-file", certificates.authority, "--tls-auth-clients", "no"]
    with redis_server(tmp_path, "--tls-port", str(port), *map(str, options)):
        yield f"localhost:{port}"


async def test_tls_with_a_private_authority(tls_address: str, certificates: CertificateFiles) -> None:
    url = f"rediss://{tls_address}/0?ssl_ca_certs={certificates.authority}"
    store = open_store(url, DAY_SECONDS)
    assert await store.create("m1", b"header", b"state", b"progress", [b"line"])
    with closing(open_redis_ledger(url)) as ledger:
        assert ledger.create("cup", SPEC, 1)
    await store.close()


async def test_tls_with_an_authority_that_is_not_known_is_refused(tls_address: str) -> None:
    store = open_store(f"rediss://{tls_address}/0", DAY_SECONDS)
    with pytest.raises(StoreUnavailable):
        await store.reach()
    await store.close()


async def test_sentinel_with_logins_of_its_own_and_of_the_primary(tmp_path: Path) -> None:
    with FailoverRedis(tmp_path, password="of-primary", sentinel_password="of-sentinel") as redis:
        store = open_store(redis.url, DAY_SECONDS, replicas=1)
        assert await store.create("m1", b"header", b"state", b"progress", [b"line"])
        with closing(open_redis_ledger(redis.url)) as ledger:
            assert ledger.create("cup", SPEC, 1)
            assert ledger.tournament("cup").plan == SPEC
        await store.close()
        wrong = open_store(redis.url.replace("of-sentinel", "other"), DAY_SECONDS)
        with pytest.raises(StoreUnavailable):
            await wrong.reach()
        await wrong.close()
