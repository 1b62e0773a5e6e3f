"""Keys and passwords are warned about on the way in and out, and never shown."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.model import secret_wording
from core.model.secret_wording import kinds_of_secrets, may_tell_secrets, without_secrets
from core.ontology import control
from core.ontology.forget_and_link_memories import forget
from core.store.reader_and_writer import Writer
from core.transfer.export_file import EXPORT_FORMATS, Choice, export_graph
from core.transfer.import_file import read_import, write_import
from core.transfer.readers.markdown_notes import NoteName, read_notes
from core.workspace import Workspace
from tests.core.transfer.imported import read_file
from tests.templates import copy_graph

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(("text", "kinds"), [
    (f"Uses {TOKEN} to push", ("GitHub Token",)),
    ("Password: correct-horse-1", ("Secret Keyword",)),
    ("first line\napi_key = 'Xk29dkf92kdf'", ("Secret Keyword",)),
    ("-----BEGIN RSA PRIVATE KEY-----", ("Private Key",)),
    ("begin it with BEGIN EC PRIVATE KEY", ("Private Key",)),
    ("if 'correct-horse-1' == my_password then", ("Secret Keyword",)),
    ("set private_key 'correct-horse-1';", ("Secret Keyword",)),
    ("see https://user:hunter22@example.com", ("Basic Auth Credentials",)),
    ("API key sk-ABCDEF0123456789abcdef0123", ("Secret Key",)),
    ("API_KEY=sk-ABCDEF0123456789abcdef0123", ("Secret Key",)),  # One place is told once.
    ("sk-learn-is-a-library-of-many-words", ()),
    ("The password is kept in the safe", ()), ("Key: rotate keys every-month", ()),
    ("3f786850e387550fdab836ed7e6dc881de23001b", ()), ("", ()),
    ("https://example.com/a/long-path/with_many-signs:1234567890", ()),
])
def test_a_key_is_known_by_its_form_or_its_name_and_prose_is_none(
    text: str, kinds: tuple[str, ...]
) -> None:
    assert kinds_of_secrets(text) == kinds


@pytest.mark.parametrize("text", [
    "A monkey passed the keyboard on", "It's the secret of a good token ring", "Passion is key",
    "Key points are told first, passages later!", "/usr/share/passage/keys"])
def test_prose_that_names_keys_is_not_put_to_the_rules(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """They take a tenth of a millisecond each time, and half a second to load."""
    monkeypatch.setattr(secret_wording, "_rules", lambda: pytest.fail("asked"))
    assert kinds_of_secrets(text) == ()


def test_a_long_word_of_names_of_keys_is_looked_through_at_once() -> None:
    """It took hours, while the file was held."""
    assert kinds_of_secrets("password" * 10_000 + "://a" * 20_000 + "-sk-" * 20_000) == ()
    assert kinds_of_secrets("word " * 790 + TOKEN + " word" * 9000) == ("GitHub Token",)
    assert kinds_of_secrets("a" * 100 + "_password = 'correct" + "-horse" * 20 + "-1'") == (
        "Secret Keyword",)


def _fill(workspace: Workspace) -> None:
    pass


_TOLD = (
    "Password for staging is hunter2-Staging!",
    "The staging password is Tr0ub4dor&3",
    "Das Passwort für staging ist Sommer-2026!",
    "Das WLAN-Passwort lautet jetzt Sommer2026x.",
    "Das Passwort von Anna ist `hunter22`",
    "Password for the admin account on db1: hunter2-X",
    'password is now "abc123!"',
    "The passphrase of the vault is Blue7Horse9",
    "Kennwort: hunter2",
    "The password was changed to Tr0ub4dor&3.",
    "Our Passwords for db: a1b2c3",
    "Das Admin-Kennwort ist pa$$wort",
    "**Password**: hunter2x",
    "Password (staging): hunter2-Staging",
)
_NOT_TOLD = (
    "the password is changed every 90 days",
    "password is required",
    "the password is stored in 1Password",
    "Our password manager is 1Password",
    "The password is 12-character long",
    "Password: 90-day rotation",
    "the password is wrong",
    "the password is secret",
    "the password was changed yesterday",
    "Passwort ist im Tresor",
    "The password is SHA-256 hashed",
    "Password for the portal is 2026-11-30 old",
    "Password policy: Min8Chars",
    "The password for Anna's laptop is in 1Password",
    "the password reset page is https://example.com/r123456",
    "The password is at least 12 characters",
    "Das Passwort ist abgelaufen",
    "password field is v2.0.1-only",
    "The password is 1Password's job",
    "Passwords are rotated every 30days",
    "The password of R2D2 is unknown",
    "the password is: see 1Password",
    "The password is Argon2id hashed",
    "the password is asked for twice (2FA)",
    "passwort: siehe Tresor-3",
    "Hide the password for URL instances https://example.com/a1b2c3",
    "password: ${DB_PASSWORD_1}",
    "The password is <your-password-1>",
)


@pytest.mark.parametrize("text", _TOLD)
def test_a_password_that_a_sentence_tells_is_known(text: str) -> None:
    assert kinds_of_secrets(f"Before.\n{text} And after.") == ("Secret Keyword",)


@pytest.mark.parametrize("text", [
    *_TOLD, f"Uses {TOKEN} to push", "first line\napi_key = 'Xk29dkf92kdf'",
    "see https://user:hunter22@example.com", "-----BEGIN RSA PRIVATE KEY-----",
    "set PWD = 'correct-horse-1'", "credential:'correct-horse-1'", "an access token: 'a1b2c3d4e5'",
    "SECRET='correct-horse-1'", "set pwd 'correct-horse-1';", "set token !! correct-horse-1"])
def test_no_key_is_overlooked_among_other_texts_of_its_entity(text: str) -> None:
    assert may_tell_secrets(["Likes the sea", text, "Sails on Monday"])
    assert may_tell_secrets(["word " * 1_000, text])


def test_of_ordinary_texts_no_other_question_is_asked() -> None:
    assert not may_tell_secrets(["Likes the sea", "Läuft um 09:30"])
    assert not may_tell_secrets(["A good token ring"])
    assert not may_tell_secrets([])


@pytest.mark.parametrize("text", _NOT_TOLD)
def test_a_sentence_about_passwords_tells_none(text: str) -> None:
    assert kinds_of_secrets(text) == ()


@pytest.mark.parametrize(("label", "told"), [
    ("Forget: Password for staging is hunter2-Z", "Forget: Password for staging is •••"),
    ("Propose: Remember: Kennwort: hunter2", "Propose: Remember: Kennwort: •••"),
    (f"Remember: Uses {TOKEN} to push", "Remember: Uses ••• to push"),
    (f"Observe: Pushes with {TOKEN[:20]}…", "Observe: Pushes with •••"),
    ("Forget “Password: correct-horse-1”", "Forget “Password: •••”"),
    ("Archive “API_KEY=sk-ABCDEF0123456789abcdef0123” · Vault", "Archive “•••” · Vault"),
    ("Remember: Key: PostgreSQL16 is used by all in Ber…",
     "Remember: Key: PostgreSQL16 is used by all in Ber…"),
    ("Pin Harbor Ledger", "Pin Harbor Ledger"), ("", "")])
def test_a_label_tells_no_secret(label: str, told: str) -> None:
    assert without_secrets(label) == told


def test_a_forgotten_password_is_warned_about_in_a_bundle_and_not_told_by_the_history(
    tmp_path: Path
) -> None:
    said = "Password for the Grafana admin is hunter2-Z"
    workspace = Workspace.open(copy_graph(_fill, tmp_path / "graph.db"), data_dir=tmp_path / "data")
    try:
        id = workspace.write(f"Remember: {said}", lambda writer: remember(
            writer, Remembered.read({"content": said}))).result.memory_id
        workspace.write(f"Forget: {said}", lambda writer: forget(writer, id))
        assert [each.label for each in workspace.history()] == [
            f"{verb}: Password for the Grafana admin is •••" for verb in ("Forget", "Remember")]
        workspace.undo()
        workspace.redo()
        with closing(sqlite3.connect(workspace._log_path)) as log, log:
            log.execute("UPDATE entries SET label = ?", (f"Recall: {said}",))
        assert "hunter2" not in str(workspace.history()), "what an earlier version wrote down"
        with workspace.read() as reader:
            assert "hunter2" not in str([tuple(row) for row in reader.rows(
                "SELECT rationale, payload FROM ontology_proposals WHERE agent_id = :agent")])
            for name, wanted in (("mcp", []), ("bundle", [f"“memory {id[:8]}”, forgotten"])):
                exported = export_graph(reader, EXPORT_FORMATS[name], tmp_path / name)
                assert [each.where for each in exported.secrets
                        if "history" not in each.where] == wanted
    finally:
        workspace.close()


def test_every_text_that_an_export_writes_is_looked_through(tmp_path: Path) -> None:
    workspace = Workspace.open(copy_graph(_fill, tmp_path / "graph.db"), data_dir=tmp_path / "data")

    def link(writer: Writer) -> None:
        for name in ("Ada", "Bo"):
            control.apply(writer, "create_entity", {"name": name, "type": "person"})
        control.apply(writer, "create_link", {
            "source": "Ada", "target": "Bo", "link_type": "related_to", "reason": TOKEN})
        control.propose(writer, "create_entity", {"name": "Cy", "type": "person"}, reason=TOKEN)

    try:
        workspace.write("Link", link)
        with workspace.read() as reader:
            for name, wanted in (
                    ("csv", {"“Ada”"}), ("graphml", {"“Ada”"}), ("mcp", {"“Ada”"}),
                    ("bundle", {"“entity dependencies", "“ontology proposals"})):
                exported = export_graph(reader, EXPORT_FORMATS[name], tmp_path / name)
                assert wanted <= {" ".join(each.where.split()[:2]) for each in exported.secrets}
    finally:
        workspace.close()


def _places(path: Path) -> list[str]:
    return [each.where for each in read_file(path).secrets]


def test_the_place_of_a_secret_is_its_own_line_and_observation(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Anna Petrova.md").write_text(
        f"---\ntype: person\n---\nToken of hers: {TOKEN}.\n\n# Keys\n\nOne, then\nanother:"
        f"\n{TOKEN}\n\n- [key] {TOKEN}\n", "utf-8")
    assert _places(notes) == [
        f"“Anna Petrova”, Anna Petrova.md, line {line}" for line in (4, 10, 12)]
    names = {"Anna Petrova.md": NoteName()}
    [(_, watched)] = read_notes(notes, names, names)
    assert [each.where for each in watched.secrets] == _places(notes)
    memory = tmp_path / "memory.jsonl"
    memory.write_text("\n".join(json.dumps(
        {"type": "entity", "name": "Vault", "entityType": "x", "observations": texts})
        for texts in (["a", "b\nc", f"d\n{TOKEN}"], [f"e {TOKEN}"])), "utf-8")
    assert _places(memory) == ["“Vault”, line 1, observation 3", "“Vault”, line 2"]


def test_both_ways_tell_the_entity_and_never_the_secret(tmp_path: Path) -> None:
    source = tmp_path / "memory.jsonl"
    source.write_text("\n".join(json.dumps(
        {"type": "entity", "name": name, "entityType": "x", "observations": [text]})
        for name, text in (("Plain", "Sails"), ("Robot", f"Pushes with {TOKEN}"))), "utf-8")
    workspace = Workspace.open(copy_graph(_fill, tmp_path / "graph.db"), data_dir=tmp_path / "data")
    try:
        report = workspace.write(
            "Import", lambda writer: write_import(writer, read_import(source))).result
        assert [each.words for each in report.secrets] == [
            "“Robot”, line 2: looks like a secret (GitHub Token)"]
        assert TOKEN not in "\n".join(report.notes())
        with workspace.read() as reader:
            plain = reader.value("SELECT id FROM entities WHERE name = 'Plain'")
            for name, choice, wanted in (
                    ("csv", Choice(), ["“Robot”"]), ("mcp", Choice([plain]), []),
                    ("bundle", Choice(), ["“Robot”", "“memory"])):
                exported = export_graph(reader, EXPORT_FORMATS[name], tmp_path / name, choice)
                assert [each.where.split()[0] for each in exported.secrets] == wanted
                assert all(TOKEN not in each.words for each in exported.secrets)
        bundle = read_import(tmp_path / "bundle")
        again = workspace.rehearse(lambda writer: write_import(writer, bundle)).result
        assert {each.kind for each in again.secrets} == {"GitHub Token"}
        assert len(again.secrets) == 2
    finally:
        workspace.close()
