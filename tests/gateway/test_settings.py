"""Settings of the gateway, from environment variables."""

from __future__ import annotations

import limits
import pytest

from gateway.settings import GatewaySettings
from runtime.api_keys import ApiKeys


def test_an_empty_environment_gives_the_defaults() -> None:
    assert GatewaySettings.from_environment({}) == GatewaySettings()


def test_every_variable_is_read() -> None:
    environment = {
        "FIRESIDE_ENGINE_ADDRESS": "engine:1",
        "FIRESIDE_ENGINE_ADDRESSES": "fire_bulls=dns:///bulls:2, fireship=ship:3",
        "FIRESIDE_ENGINE_SECONDS": "2.5",
        "FIRESIDE_CORS_ORIGINS": "https://a.example, https://b.example",
        "FIRESIDE_BODY_LIMIT": "1000",
        "FIRESIDE_SOCKET_LIMIT": "50",
        "FIRESIDE_BODY_SECONDS": "1.5",
        "FIRESIDE_RATE_LIMIT": "600/minute",
        "FIRESIDE_MATCH_RATE_LIMIT": "20/10 seconds",
        "FIRESIDE_API_KEYS": f"ours:{'ab' * 32}",
        "FIRESIDE_TRUSTED_HOPS": "2",
        "REDIS_URL": "redis://store:6379/0",
        "FIRESIDE_DRAIN_SECONDS": "5",
        "FIRESIDE_GRACE_SECONDS": "2.5",
        "FIRESIDE_LOG_LEVEL": "DEBUG",
    }
    assert GatewaySettings.from_environment(environment) == GatewaySettings(
        engine_address="engine:1",
        engine_addresses={"fire_bulls": "dns:///bulls:2", "fireship": "ship:3"},
        engine_seconds=2.5,
        cors_origins=("https://a.example", "https://b.example"),
        body_limit=1000,
        socket_limit=50,
        body_seconds=1.5,
        rate_limit=limits.RateLimitItemPerMinute(600),
        match_rate_limit=limits.RateLimitItemPerSecond(20, 10),
        api_keys=ApiKeys({bytes.fromhex("ab" * 32): "ours"}),
        trusted_hops=2,
        redis_url="redis://store:6379/0",
        drain_seconds=5.0,
        grace_seconds=2.5,
        log_level="DEBUG",
    )


def test_a_drain_time_of_zero_is_accepted() -> None:
    assert GatewaySettings.from_environment({"FIRESIDE_DRAIN_SECONDS": "0"}).drain_seconds == 0


def test_a_game_without_its_own_address_has_the_common_one() -> None:
    settings = GatewaySettings(engine_address="engine:1", engine_addresses={"fire_bulls": "bulls:2"})
    assert [settings.address("fire_bulls"), settings.address("fireship")] == ["bulls:2", "engine:1"]


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("FIRESIDE_ENGINE_ADDRESS", "engine"),
        ("FIRESIDE_ENGINE_ADDRESS", "http://engine:1"),
        ("FIRESIDE_ENGINE_ADDRESS", "engine:1 "),
        ("FIRESIDE_ENGINE_ADDRESS", "engine:none"),
        ("FIRESIDE_ENGINE_ADDRESS", "engine:0"),
        ("FIRESIDE_ENGINE_ADDRESS", "engine:65536"),
        ("FIRESIDE_ENGINE_ADDRESSES", "fire_bulls=dns:///bulls:0"),
        ("FIRESIDE_TOURNAMENTS_ADDRESS", "tournaments"),
        ("FIRESIDE_CORS_ORIGINS", "https://a.example,b.example"),
        ("FIRESIDE_CORS_ORIGINS", "https://a.example/page"),
        ("FIRESIDE_ENGINE_ADDRESSES", "fire_bulls=bulls"),
        ("FIRESIDE_ENGINE_SECONDS", "1_0"),
        ("FIRESIDE_ENGINE_SECONDS", "\u0661\u0660"),
        ("FIRESIDE_ENGINE_SECONDS", "10 "),
        ("FIRESIDE_ENGINE_ADDRESSES", "fire_bulls"),
        ("FIRESIDE_ENGINE_ADDRESSES", "=bulls:2"),
        ("FIRESIDE_ENGINE_SECONDS", "soon"),
        ("FIRESIDE_ENGINE_SECONDS", "nan"),
        ("FIRESIDE_ENGINE_SECONDS", "0"),
        ("FIRESIDE_ENGINE_SECONDS", "1e308"),
        ("FIRESIDE_BODY_LIMIT", "1.5"),
        ("FIRESIDE_BODY_LIMIT", "-1"),
        ("FIRESIDE_SOCKET_LIMIT", "0"),
        ("FIRESIDE_BODY_SECONDS", "0"),
        ("FIRESIDE_RATE_LIMIT", "many"),
        ("FIRESIDE_RATE_LIMIT", "600"),
        ("FIRESIDE_RATE_LIMIT", "0/minute"),
        ("FIRESIDE_RATE_LIMIT", "-1/minute"),
        ("FIRESIDE_RATE_LIMIT", "100001/minute"),
        ("FIRESIDE_RATE_LIMIT", "1/0 seconds"),
        ("FIRESIDE_RATE_LIMIT", "1/second;10/minute"),
        ("FIRESIDE_RATE_LIMIT", "1/fortnight"),
        ("FIRESIDE_MATCH_RATE_LIMIT", "1 per second"),
        ("FIRESIDE_API_KEYS", "ours"),
        ("FIRESIDE_TRUSTED_HOPS", "-1"),
        ("FIRESIDE_TRUSTED_HOPS", "17"),
        ("FIRESIDE_TRUSTED_HOPS", "9" * 20),
        ("FIRESIDE_TRUSTED_HOPS", "all"),
        ("REDIS_URL", "store:6379"),
        ("FIRESIDE_DRAIN_SECONDS", "-1"),
        ("FIRESIDE_GRACE_SECONDS", "long"),
        ("FIRESIDE_LOG_LEVEL", "loud"),
    ],
)
def test_an_invalid_variable_is_named(variable: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable}: "):
        GatewaySettings.from_environment({variable: text})


def test_keys_and_passwords_are_not_shown() -> None:
    environment = {"FIRESIDE_API_KEYS": f"ours:{'ab' * 32}", "REDIS_URL": "redis://:secret@store:6379/0"}
    text = repr(GatewaySettings.from_environment(environment))
    assert not {word for word in ("ours", "abab", "secret") if word in text}
