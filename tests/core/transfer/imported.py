"""What a file holds as an import reads it, in the words of a test."""

from pathlib import Path

from core.transfer.import_file import read_import
from core.transfer.mcp_records import McpFile


def read_file(path: Path) -> McpFile:
    """A file or folder, as it is imported."""
    file = read_import(path)
    assert isinstance(file, McpFile)
    return file


def facts(file: McpFile) -> dict[str, list[tuple[str, str]]]:
    """Aspect and text of each fact, by entity."""
    return {each.name: [(fact.aspect, fact.text) for fact in each.observations]
            for each in file.entities}


def links(file: McpFile) -> set[tuple[str, str, str]]:
    """Each relation in its three words."""
    return {(each.source, each.words, each.target) for each in file.relations}


def told(file: McpFile) -> list[str]:
    """What was left out, changed or kept otherwise, each with its place."""
    return [f"{file.places.where(each.line)}: {each.what}"
            for each in (*file.problems, *file.remarks)]
