"""How the image is measured without a container engine: what is read from the Dockerfile, and what is counted."""

from __future__ import annotations

from pathlib import Path

from release.image_size import font_packages, install_commands, packaged_tests, size

DOCKERFILE = (Path(__file__).parents[2] / "Dockerfile").read_text()


def test_packages_are_installed_below_a_folder_as_the_dockerfile_does() -> None:
    command = install_commands(DOCKERFILE, Path("/tmp/folder"))
    assert "python3 -m venv --without-pip /tmp/folder/opt/fireside " in command
    assert '"$(echo /tmp/folder/wheels/fireside-*.whl)[$EXTRAS]"' in command
    assert "strip --strip-unneeded" in command
    assert " /opt" not in command
    assert " /wheels" not in command


def test_the_fonts_are_those_of_the_dockerfile() -> None:
    assert font_packages(DOCKERFILE) == ["fonts-dejavu-core", "fonts-wqy-microhei"]


def test_a_link_counts_as_itself_and_tests_of_packages_are_found(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "tests").mkdir(parents=True)
    (package / "code.py").write_bytes(bytes(1000))
    (package / "test_code.py").write_bytes(bytes(10))
    (tmp_path / "link").symlink_to(package / "code.py")
    assert 1010 < size(tmp_path) < 1200
    assert packaged_tests(tmp_path) == ["package/tests"]
