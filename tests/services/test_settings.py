"""Settings of the services, read from environment variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_core.bots import SERVED_LIMITS
from runtime.api_keys import ApiKeys
from services.bots.settings import BotSettings
from services.engine.settings import EngineSettings
from services.tournaments.settings import TournamentSettings

SECRET_KEY = "k" * 32


def test_without_variables_every_setting_has_its_default() -> None:
    assert EngineSettings.from_environment({}) == EngineSettings()


def test_variables_are_read() -> None:
    settings = EngineSettings.from_environment(
        {
            "REDIS_URL": "redis://store:6379/0",
            "FIRESIDE_TOKEN_KEYS": f"new:{SECRET_KEY}, old:{SECRET_KEY.upper()}",
            "FIRESIDE_SIGNING_KEYS": f"s2:{'AB' * 32}, s1:{'cd' * 32}",
            "FIRESIDE_TOKEN_SECONDS": "600",
            "FIRESIDE_API_KEYS": f"ours:{'ab' * 32}",
            "FIRESIDE_MATCH_SECONDS": "60",
            "FIRESIDE_FINISHED_SECONDS": "30",
            "FIRESIDE_REPLICAS": "2",
            "FIRESIDE_CONNECTION_SECONDS": "300",
            "FIRESIDE_DRAIN_SECONDS": "5",
            "FIRESIDE_GRACE_SECONDS": "2.5",
            "FIRESIDE_MESSAGE_LIMIT": "1000",
            "FIRESIDE_STREAM_LIMIT": "50",
            "FIRESIDE_BOT_LIMITS": "milliseconds=5000, depth=20",
            "FIRESIDE_LOG_LEVEL": "DEBUG",
        }
    )
    assert settings.bot_limits == SERVED_LIMITS._replace(milliseconds=5000, depth=20)
    assert settings.redis_url == "redis://store:6379/0"
    assert list(settings.token_keys.items()) == [("new", SECRET_KEY.encode()), ("old", SECRET_KEY.upper().encode())]
    assert list(settings.signing_keys.items()) == [("s2", b"\xab" * 32), ("s1", b"\xcd" * 32)]
    assert (settings.token_seconds, settings.api_keys) == (600, ApiKeys({bytes.fromhex("ab" * 32): "ours"}))
    assert (settings.match_seconds, settings.finished_seconds, settings.grace_seconds) == (60, 30, 2.5)
    assert settings.replicas == 2
    assert (settings.connection_seconds, settings.drain_seconds) == (300.0, 5.0)
    assert (settings.message_limit, settings.stream_limit, settings.log_level) == (1000, 50, "DEBUG")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("REDIS_URL", "store:6379"),
        ("REDIS_URL", "redis://store:many"),
        ("REDIS_URL", "redis://store:99999"),
        ("REDIS_URL", "redis://["),
        ("REDIS_URL", "redis://store?max_connections=many"),
        ("REDIS_URL", "redis://store?colour=red"),
        ("FIRESIDE_TOKEN_KEYS", ","),
        ("FIRESIDE_TOKEN_KEYS", SECRET_KEY),
        ("FIRESIDE_TOKEN_KEYS", f":{SECRET_KEY}"),
        ("FIRESIDE_TOKEN_KEYS", "new:short"),
        ("FIRESIDE_TOKEN_KEYS", f"a:{SECRET_KEY},a:{SECRET_KEY}"),
        ("FIRESIDE_SIGNING_KEYS", ","),
        ("FIRESIDE_SIGNING_KEYS", "ab" * 32),
        ("FIRESIDE_SIGNING_KEYS", f"a:{'ab' * 31}"),
        ("FIRESIDE_SIGNING_KEYS", f"a:{'xy' * 32}"),
        ("FIRESIDE_SIGNING_KEYS", f"a:{'ab' * 32},a:{'cd' * 32}"),
        ("FIRESIDE_API_KEYS", "ours"),
        ("FIRESIDE_BOT_LIMITS", "milliseconds"),
        ("FIRESIDE_BOT_LIMITS", "milliseconds=0"),
        ("FIRESIDE_BOT_LIMITS", "milliseconds=600001"),
        ("FIRESIDE_BOT_LIMITS", "depth=5,depth=6"),
        ("FIRESIDE_BOT_LIMITS", "colour=5"),
        ("FIRESIDE_TOKEN_SECONDS", "0"),
        ("FIRESIDE_MATCH_SECONDS", "week"),
        ("FIRESIDE_MATCH_SECONDS", "1_0"),
        ("FIRESIDE_MATCH_SECONDS", " 10"),
        ("REDIS_URL", "redis://localhost/first"),
        ("FIRESIDE_MATCH_SECONDS", "0"),
        ("FIRESIDE_MATCH_SECONDS", "9" * 20),
        ("FIRESIDE_FINISHED_SECONDS", "0"),
        ("FIRESIDE_REPLICAS", "-1"),
        ("FIRESIDE_REPLICAS", "one"),
        ("FIRESIDE_REPLICAS", "1"),  # of no Redis
        ("FIRESIDE_CONNECTION_SECONDS", "0"),
        ("FIRESIDE_CONNECTION_SECONDS", "9999999"),
        ("FIRESIDE_DRAIN_SECONDS", "-1"),
        ("FIRESIDE_GRACE_SECONDS", "inf"),
        ("FIRESIDE_GRACE_SECONDS", "1e308"),
        ("FIRESIDE_MESSAGE_LIMIT", "-1"),
        ("FIRESIDE_MESSAGE_LIMIT", "9999999999"),
        ("FIRESIDE_LOG_LEVEL", "loud"),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_of_its_variable(variable: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable}: "):
        EngineSettings.from_environment({variable: value})


def test_a_malformed_address_is_not_quoted() -> None:
    with pytest.raises(ValueError, match=r"^REDIS_URL: ") as caught:
        EngineSettings.from_environment({"REDIS_URL": "redis://:secret@store:many"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", [SECRET_KEY, "new:secret", f"a:{SECRET_KEY},a:{SECRET_KEY}"])
def test_an_error_never_quotes_a_key(value: str) -> None:
    for variable in ("FIRESIDE_TOKEN_KEYS", "FIRESIDE_SIGNING_KEYS"):
        with pytest.raises(ValueError, match=variable) as caught:
            EngineSettings.from_environment({variable: value})
        assert SECRET_KEY not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_error_never_quotes_a_password() -> None:
    with pytest.raises(ValueError, match="REDIS_URL") as caught:
        EngineSettings.from_environment({"REDIS_URL": "redis://:secret/password@store:6379/0"})
    assert "secret" not in str(caught.value)


def test_keys_and_passwords_are_not_shown() -> None:
    environment = {"FIRESIDE_TOKEN_KEYS": f"new:{SECRET_KEY}", "REDIS_URL": "redis://:secret@store:6379/0"}
    environment["FIRESIDE_SIGNING_KEYS"] = f"s1:{'ab' * 32}"
    text = repr(EngineSettings.from_environment(environment)) + repr(BotSettings.from_environment(environment))
    assert SECRET_KEY not in text
    assert "abab" not in text
    assert "\\xab" not in text
    assert "secret" not in text


def test_the_default_ledger_is_in_the_state_folder_of_the_user(tmp_path: Path) -> None:
    found = TournamentSettings.from_environment({"XDG_STATE_HOME": str(tmp_path)})
    assert found == TournamentSettings(ledger_file=tmp_path / "fireside" / "tournaments.db")


def test_tournament_variables_are_read() -> None:
    settings = TournamentSettings.from_environment(
        {
            "REDIS_URL": "redis://store:6379/0",
            "FIRESIDE_LEDGER": "cups.db",
            "DASK_SCHEDULER_ADDRESS": "tcp://scheduler:8786",
            "FIRESIDE_LEASE_SECONDS": "2.5",
            "FIRESIDE_TOURNAMENT_RECORDS": "0",
            "FIRESIDE_TOURNAMENT_REPLAYS": "0.5",
            "FIRESIDE_CONNECTION_SECONDS": "300",
            "FIRESIDE_DRAIN_SECONDS": "5",
            "FIRESIDE_LOG_LEVEL": "INFO",
        }
    )
    assert settings == TournamentSettings(
        "redis://store:6379/0",
        Path("cups.db"),
        "tcp://scheduler:8786",
        2.5,
        connection_seconds=300.0,
        drain_seconds=5.0,
        log_level="INFO",
        recorded_matches=0,
        replay_share=0.5,
    )


@pytest.mark.parametrize(
    "variable",
    [
        "REDIS_URL",
        "FIRESIDE_LEASE_SECONDS",
        "FIRESIDE_TOURNAMENT_RECORDS",
        "FIRESIDE_TOURNAMENT_REPLAYS",
        "FIRESIDE_LOG_LEVEL",
        "DASK_SCHEDULER_ADDRESS",
    ],
)
def test_an_invalid_tournament_variable_is_named(variable: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable}: "):
        TournamentSettings.from_environment({variable: "nonsense"})
