"""Prints THIRD_PARTY.md from the metadata of the packages that the program needs: no network.

    make third-party
"""

import re
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Third-party packages

Constellation Explorer is under the Apache License 2.0 (`LICENSE`). Its own wheel holds no file of
others. It needs the packages below, which come from their authors under their own licences; each
brings its licence text in its `.dist-info` folder. Made by `make third-party`.

Of what these packages bring, the program shows or uses: the font Phosphor (MIT) in qtawesome, for
its icons; the word vectors in wordllama (MIT), for comparing meanings; Qt (LGPL 3.0) in
PySide6-Essentials, which is linked at run time and can be replaced by another build.

| Package | Licence |
|---|---|"""
NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^]]*)\])?")
"""A package, and the extras of it that are asked for."""
EXTRA = re.compile(r"""extra == ['"]([^'"]+)""")
PER_SYSTEM = {"colorama", "tzdata", "hf-xet", "truststore"}
"""Needed on some systems only, so that the list is the same wherever it is made."""


def key(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed() -> list[str]:
    """Every package that the program needs here, directly or by another one, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting, seen = list(project["dependencies"]), dict[str, str]()
    while waiting:
        match = NAME.match(waiting.pop())
        if match is None or key(match[1]) in seen | dict.fromkeys(PER_SYSTEM):
            continue
        try:
            package = metadata.distribution(match[1])
        except metadata.PackageNotFoundError:
            continue  # for another system or Python
        seen[key(match[1])] = package.metadata["Name"]
        waiting += _asked_for(package.requires or [], match[2] or "")
    return sorted(seen.values(), key=str.lower)


def _asked_for(lines: list[str], extras: str) -> list[str]:
    """The packages that one needs, with those of these extras of it."""
    chosen = {key(extra.strip()) for extra in extras.split(",")}
    return [line for line in lines
            if (extra := EXTRA.search(line)) is None or key(extra[1]) in chosen]


def licence(name: str) -> str:
    """What a package's metadata calls its licence, in a few words."""
    about = metadata.metadata(name)
    classifiers = [line.split(" :: ")[-1] for line in about.get_all("Classifier", [])
                   if line.startswith("License ::")]
    named = [text for text in classifiers if text != "OSI Approved"]
    whole = about.get("License", "").strip().splitlines() or [""]
    return about.get("License-Expression") or ", ".join(named) or whole[0]


def main() -> None:
    """Print the file."""
    print(HEAD)  # noqa: T201 - its answer
    for name in needed():
        print(f"| {name} | {licence(name)} |")  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
