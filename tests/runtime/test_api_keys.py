"""API keys: creation, parsing of their hashes, verification, and secrecy of their texts."""

from __future__ import annotations

import pytest

from runtime import api_keys
from runtime.api_keys import ApiKeys

KEY_HASH = "ab" * 32


def test_a_new_key_is_recognised_by_its_entry() -> None:
    ours, theirs = api_keys.new_key(), api_keys.new_key()
    known = api_keys.parse(f"{api_keys.key_entry('ours', ours)}, {api_keys.key_entry('theirs', theirs)}")
    assert [known.holder(key) for key in (ours, theirs, api_keys.new_key(), "", ours[:-1], "é\ud800")] == [
        *("ours", "theirs"),
        *([""] * 4),
    ]


def test_the_hash_of_a_key_is_not_accepted_as_a_key() -> None:
    entry = api_keys.key_entry("ours", api_keys.new_key())
    assert api_keys.parse(entry).holder(entry.partition(":")[2]) == ""


def test_a_key_has_32_random_bytes() -> None:
    keys = {api_keys.new_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {43}


def test_without_a_setting_no_key_is_required() -> None:
    assert not ApiKeys()
    assert not api_keys.parse("")
    assert api_keys.parse(f"a:{KEY_HASH}")


@pytest.mark.parametrize(
    "text", [f"{KEY_HASH}", f":{KEY_HASH}", "a:", f"a:{KEY_HASH[1:]}", f"a:{'x' * 64}", f"a b:{KEY_HASH}"]
)
def test_an_invalid_setting_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=r"^FIRESIDE_API_KEYS: entry 2 ") as refused:
        api_keys.parse(f"first:{KEY_HASH},{text}")
    assert KEY_HASH[:8] not in str(refused.value)


def test_two_keys_of_one_name_are_known_while_one_replaces_the_other() -> None:
    old, new = api_keys.new_key(), api_keys.new_key()
    entries = [api_keys.key_entry("ours", key) for key in (old, new)]
    both = api_keys.parse(",".join(entries))
    assert [both.holder(key) for key in (old, new)] == ["ours", "ours"]
    assert [api_keys.parse(entries[1]).holder(key) for key in (old, new)] == ["", "ours"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"a:{'cd' * 32},a:{'ef' * 32}", "is one more than 2 of its name"),
        (f"b:{'ef' * 32},a:{KEY_HASH.upper()}", "has the key of another"),
        (f"b:{'ef' * 32},b:{KEY_HASH}", "has the key of another"),
    ],
)
def test_a_third_key_of_a_name_and_a_key_twice_are_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^FIRESIDE_API_KEYS: entry 3 {fault}") as refused:
        api_keys.parse(f"a:{KEY_HASH},{text}")
    assert KEY_HASH[:8] not in str(refused.value)


@pytest.mark.parametrize("text", [",", " ", " ,, "])
def test_a_setting_without_an_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^FIRESIDE_API_KEYS: it has no entry"):
        api_keys.parse(text)


@pytest.mark.parametrize("name", ["", "a,b", "a:b", "a b", "x" * 65, "é"])
def test_an_invalid_name_of_a_key_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^a name has"):
        api_keys.key_entry(name, "key")


def test_the_repr_shows_neither_hash_nor_name() -> None:
    assert KEY_HASH not in repr(api_keys.parse(f"ours:{KEY_HASH}"))
