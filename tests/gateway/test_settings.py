from __future__ import annotations

import pytest

from gateway.settings import GatewaySettings


def test_an_empty_environment_gives_the_defaults() -> None:
    assert GatewaySettings.from_environment({}) == GatewaySettings()


def test_every_variable_is_read() -> None:
    environment = {
        "FIRESIDE_ENGINE_ADDRESS": "engine:1",
        "FIRESIDE_ENGINE_ADDRESSES": "fire_bulls=bulls:2, fireship=ship:3",
        "FIRESIDE_ENGINE_SECONDS": "2.5",
        "FIRESIDE_CORS_ORIGINS": "https://a.example, https://b.example",
        "FIRESIDE_BODY_LIMIT": "1000",
        "FIRESIDE_GRACE_SECONDS": "2.5",
        "FIRESIDE_LOG_LEVEL": "DEBUG",
    }
    assert GatewaySettings.from_environment(environment) == GatewaySettings(
        engine_address="engine:1",
        engine_addresses={"fire_bulls": "bulls:2", "fireship": "ship:3"},
        engine_seconds=2.5,
        cors_origins=("https://a.example", "https://b.example"),
        body_limit=1000,
        grace_seconds=2.5,
        log_level="DEBUG",
    )


def test_a_game_without_an_address_of_its_own_has_the_common_one() -> None:
    settings = GatewaySettings(engine_address="engine:1", engine_addresses={"fire_bulls": "bulls:2"})
    assert [settings.address("fire_bulls"), settings.address("fireship")] == ["bulls:2", "engine:1"]


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("FIRESIDE_ENGINE_ADDRESSES", "fire_bulls"),
        ("FIRESIDE_ENGINE_ADDRESSES", "=bulls:2"),
        ("FIRESIDE_ENGINE_SECONDS", "soon"),
        ("FIRESIDE_ENGINE_SECONDS", "nan"),
        ("FIRESIDE_ENGINE_SECONDS", "0"),
        ("FIRESIDE_ENGINE_SECONDS", "1e308"),
        ("FIRESIDE_BODY_LIMIT", "1.5"),
        ("FIRESIDE_BODY_LIMIT", "-1"),
        ("FIRESIDE_GRACE_SECONDS", "long"),
        ("FIRESIDE_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_variable_is_named(variable: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable}: "):
        GatewaySettings.from_environment({variable: text})
