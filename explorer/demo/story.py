"""The demo's texts as they are written in `assets/demo`, read but not yet turned into rows."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from typing import Any

from explorer.demo.chance import id_of, moment
from explorer.demo.lines import Line, read_line

COMMUNITIES = ("harbor_ledger", "home_lab", "people", "tooling", "writing", "balcony_and_bass",
               "atlas")
_SPEAKERS = {"": "claude-code", "atlas": "atlas"}


@dataclass(frozen=True, slots=True)
class Community:
    """A part of the year that belongs together."""

    id: str
    agent: str
    name: str
    cohesion: float
    project: str


@dataclass(frozen=True)
class Figure:
    """An entity with its aspects as written: aspect -> group -> claim -> versions, oldest first."""

    id: str
    community: Community
    name: str
    entity_type: str
    about: str
    aliases: tuple[str, ...]
    heard_as: tuple[str, ...]
    facts: Mapping[str, Any]
    aspects: Mapping[str, Mapping[str, Any]]

    @property
    def agent(self) -> str:
        """Whose memory it is in."""
        return self.community.agent

    @cached_property
    def _heard(self) -> re.Pattern[str]:
        names = sorted((self.name, *self.aliases, *self.heard_as), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)

    def heard_in(self, text: str) -> str:
        """How `text` names it, empty if it does not."""
        found = self._heard.search(text)
        return found[0] if found else ""


@dataclass(frozen=True)
class Note:
    """A memory, and whom it mentions under what name; `path` is the file it was read from."""

    id: str
    agent: str
    project: str
    at: datetime
    who: str
    line: Line
    mentions: Mapping[str, str] = field(default_factory=dict)
    path: str = ""


@dataclass(frozen=True)
class Story:
    """Everything that is written in `assets/demo`."""

    communities: tuple[Community, ...]
    figures: tuple[Figure, ...]
    notes: tuple[Note, ...]
    links: tuple[tuple[str, Sequence[Any]], ...]
    gone_links: tuple[Mapping[str, Any], ...]
    proposals: tuple[Mapping[str, Any], ...]
    assertions: tuple[Mapping[str, Any], ...]

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Figure]:
        return {(figure.agent, figure.name): figure for figure in self.figures}

    def figure(self, name: str, agent: str = "default") -> Figure:
        """The entity that is called so."""
        return self._by_name[agent, name]

    def note_with(self, quote: str, agent: str) -> Note:
        """The memory in which a quote stands word for word; LookupError if there is none."""
        for note in self.notes:
            if note.agent == agent and quote in note.line.text:
                return note
        raise LookupError(f"No memory of the demo says: {quote}")


def read_story() -> Story:
    """Read every text of the demo."""
    parts = [_read(f"{name}.toml") for name in COMMUNITIES]
    communities = tuple(_community(part["community"]) for part in parts)
    figures = tuple(_figure(community, written)
                    for community, part in zip(communities, parts, strict=True)
                    for written in part["entity"])
    links = _read("links.toml")
    return Story(
        communities, figures, tuple(_notes(communities, figures)),
        links=(*(("default", link) for link in links["links"]),
               *(("atlas", link) for link in links["journeys"])),
        gone_links=tuple(links["gone"]),
        proposals=tuple(_read("proposals.toml")["proposal"]),
        assertions=tuple(_read("assertions.toml")["assertion"]),
    )


def versions_of(aspect: Mapping[str, Any]) -> Iterator[tuple[str | None, str | None, list[Line]]]:
    """The claims of an aspect as (group, claim, versions); both keys are None for loose values."""
    for key, written in aspect.items():
        if key in ("weight", "archived"):
            continue
        if isinstance(written, dict):
            for claim, versions in written.items():
                yield key, claim, _lines(versions)
        elif key == "loose":
            yield from ((None, None, [line]) for line in _lines(written))
        else:
            yield "general", key, _lines(written)


def _lines(written: str | list[str]) -> list[Line]:
    return [read_line(text) for text in ([written] if isinstance(written, str) else written)]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("assets") / "demo" / name).read_text(encoding="utf-8"))


def _community(written: Mapping[str, Any]) -> Community:
    agent = written.get("agent", "default")
    return Community(id_of("community", agent, written["name"]), agent, written["name"],
                     written["cohesion"], written["project"])


def _figure(community: Community, written: Mapping[str, Any]) -> Figure:
    aspects = {name: value for name, value in written.items() if isinstance(value, dict)}
    return Figure(
        id_of("entity", community.agent, written["name"]), community, written["name"],
        written["type"], written["about"], tuple(written.get("aliases", ())),
        tuple(written.get("heard_as", ())),
        facts={name: value for name, value in written.items() if name not in aspects},
        aspects=aspects,
    )


def _notes(communities: Sequence[Community], figures: Sequence[Figure]) -> Iterator[Note]:
    """The memories with whom they mention: entities of the same agent, by name or alias."""
    for file, community in zip(COMMUNITIES, communities, strict=True):
        known = [figure for figure in figures if figure.agent == community.agent]
        for written in _read(f"memories/{file}.toml")["memories"]:
            line = read_line(written)
            mentions = {figure.id: heard for figure in known
                        if (heard := figure.heard_in(line.text))}
            speaker = line.who or _SPEAKERS.get(community.agent, "claude-code")
            yield Note(id_of("memory", community.agent, line.text), community.agent,
                       community.project, moment(line.on, line.text), spoken_name(speaker),
                       line, mentions)


def spoken_name(who: str) -> str:
    """A hand's name as it is stored: people with a capital, programs and `you` as they are."""
    programs = ("you", "claude-code", "opencode", "pipeline", "dreaming", "atlas", "remember")
    return who if who in programs or who.startswith("ontology-") else who.capitalize()
