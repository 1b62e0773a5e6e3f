"""Names in a text, in every script: the scanner itself, remember, and the question's entities."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.queries.names_in_text import names_in_text
from core.store.reader_and_writer import Writer
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.core.graphs import Graph

CASES: dict[str, tuple[tuple[str, ...], str, set[str]]] = {
    "Chinese": (("王小红", "图书馆", "佐藤花子"), "昨天王小红去了图书馆，借了两本书。",
                {"王小红", "图书馆"}),
    "Chinese, not within a longer name": (("北京", "北京大学"), "他在北京大学学习",
                                          {"北京大学"}),
    "Chinese, both where both stand": (("北京", "北京大学"), "北京大学在北京",
                                       {"北京", "北京大学"}),
    "Chinese, a single sign is no name": (("水", "王小红"), "王小红喝水", {"王小红"}),
    "Chinese with Latin": (("Vue组件", "数据库"), "我用Postgres数据库和Vue组件",
                           {"Vue组件", "数据库"}),
    "Japanese": (("佐藤花子", "京都", "東京都"), "佐藤花子さんは東京都から京都に引っ越した",
                 {"佐藤花子", "東京都", "京都"}),
    "Japanese, a katakana word is whole": (("マリア", "サーバー"),
                                           "マリアンヌさんがサーバーを直した", {"サーバー"}),
    "Japanese, a middle dot": (("モーツァルト・計画",), "モーツァルト・計画を始めた",
                               {"モーツァルト・計画"}),
    "Japanese, half width": (("カトウ",), "ｶﾄｳさんが来た", {"カトウ"}),
    "Japanese, full-width Latin": (("ABC商事",), "ＡＢＣ商事と契約した", {"ABC商事"}),
    "Korean with particles": (("김민수", "서울"), "어제 김민수가 서울에서 회의를 했다",
                              {"김민수", "서울"}),
    "Korean, not from within a word": (("울에", "민수"), "어제 김민수가 서울에서", set()),
    "Korean with a space": (("김 철수",), "어제 김 철수는 쉬었다", {"김 철수"}),
    "Thai": (("สมชาย", "กรุงเทพฯ"), "เมื่อวานสมชายไปกรุงเทพฯ", {"สมชาย", "กรุงเทพฯ"}),
    "Thai, not before a vowel sign": (("สมชา", "กา"), "เมื่อวานสมช่ายดื่มกาแฟ", set()),
    "Hindi": (("हिन्दी पाठ",), "कल हिन्दी पाठ पढ़ा", {"हिन्दी पाठ"}),
    "apart in the text": (("Café Zürich",), "We met at Cafe\u0301 Zu\u0308rich.",
                          {"Café Zürich"}),
}
Open = Callable[[str, tuple[str, ...]], Workspace]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def run(kind: str, names: tuple[str, ...]) -> Workspace:
        workspace = make(kind, tmp_path / "g.db", tmp_path / "side")
        workspace.write("fill", lambda w: [Graph(w).entity(name) for name in names])
        return workspace

    return run


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("names", "text", "expected"), CASES.values(), ids=CASES)
def test_a_name_is_noticed_in_any_script(
    opened: Open, kind: str, names: tuple[str, ...], text: str, expected: set[str]
) -> None:
    workspace = opened(kind, names)
    written = workspace.write(
        "Remember", lambda w: remember(w, Remembered.read({"content": text}))).result
    assert names_of(workspace, written.entity_ids) == expected
    with workspace.read() as reader:
        asked = resolve(reader, Signals(query=text, pinned=False), TraversalSettings())
    whole = {each.name for each in asked.entities if each.detail == each.name}
    assert expected <= whole
    assert not (set(names) - expected) & whole
    workspace.close()


def names_of(workspace: Workspace, ids: tuple[str, ...]) -> set[str]:
    with workspace.read() as reader:
        return {row["name"] for row in reader.rows(
            "SELECT name FROM entities WHERE id IN (SELECT value FROM json_each(:ids))", ids=ids)}


def test_an_alias_is_noticed_like_a_name(opened: Open) -> None:
    workspace = opened("native", ())
    workspace.write("fill", lambda w: (lambda g: g.alias(g.entity("Wang"), "王小红"))(Graph(w)))
    with workspace.read() as reader:
        names = names_in_text(reader, "昨天王小红去了", most_words=5, most=100)
    assert [name.text for name in names] == ["王小红"]
    workspace.close()


def test_the_cost_follows_the_text_and_not_the_number_of_names(opened: Open) -> None:
    workspace = opened("native", ())

    def fill(writer: Writer) -> None:
        Graph(writer).entity("王小红")
        writer.insert_many("entities", ({
            "id": f"e{n}", "name": f"人物{n}号", "canonical_name": f"人物{n}号",
            "created_at": "t", "updated_at": "t"} for n in range(20_000)))

    workspace.write("fill", fill)
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with workspace.read() as reader:
        reader.connection.set_progress_handler(count, 1000)
        names_in_text(reader, "昨天王小红去了图书馆", most_words=5, most=1000)
        reader.connection.set_progress_handler(None, 0)
    assert steps < 5
    workspace.close()


