"""Who may come in: tokens by what they allow, kept as hashes beside the settings."""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import asdict

from core.errors import ConstellationError, OperationError
from core.model.text_formatting import one_line
from core.settings import settings_file
from core.store.reader_and_writer import stamp

May = Literal["recall", "modify"]
"""What a token allows: to read, or to change as well."""
VARIABLE = "CONSTELLATION_TOKEN"
"""The variable that sets the modify token of one process."""
SHORTEST = 16
"""Characters of a token of one's own; a shorter one could be guessed."""
_FILE = "tokens.json"
_PREFIX = "cst_"
_SHOWN = 8
"""Characters of a hash by which a token is named."""


class Token(Struct, frozen=True):
    """What is kept of a token; the token itself is shown once and known to its holder only."""

    hash: str
    may: May
    agent: str
    made_at: str

    @property
    def id(self) -> str:
        """The name by which it is listed and revoked."""
        return self.hash[:_SHOWN]

    def allows(self, needed: May) -> bool:
        """True if it lets its holder do this; who may change may read."""
        return needed == "recall" or self.may == "modify"


def tokens_file() -> Path:
    """Where the tokens of this person are kept."""
    return settings_file().with_name(_FILE)


def hash_of(secret: str) -> str:
    """What is kept of a token. It is random and long, so that a plain hash can't be undone."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def list_tokens(path: Path | None = None) -> tuple[Token, ...]:
    """The tokens that hold, oldest first; ConstellationError where the file can't be read."""
    path = path or tokens_file()
    try:
        return tuple(Token(**item) for item in json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError) as error:
        raise ConstellationError(
            "The tokens can't be read", where=str(path), detail=str(error),
            do="Delete the file; new tokens are then made at the next start") from error


def create(may: May, agent: str, path: Path | None = None) -> str:
    """Make a token and keep its hash; returns the token, which is not kept."""
    if may not in get_args(May):
        raise OperationError(400, f"A token can't allow “{may}”", field="may",
                             do=f"Choose {' or '.join(get_args(May))}")
    secret = _PREFIX + secrets.token_urlsafe(32)
    _save((*list_tokens(path), Token(hash_of(secret), may, agent, stamp())), path)
    return secret


def revoke(id: str, path: Path | None = None) -> Token:
    """Let a token hold no more, also in servers that run; OperationError (404) for an unknown."""
    every = list_tokens(path)
    matching = [token for token in every if id and token.hash.startswith(id)]
    if len(matching) != 1:
        raise OperationError(404, f"Token not found: {one_line(id, 80)}", field="id",
                             do="“constellation token list” lists them")
    _save([token for token in every if token not in matching], path)
    return matching[0]


def _save(tokens: Sequence[Token], path: Path | None) -> None:
    """Write them whole or not at all, readable by this person only."""
    path = path or tokens_file()
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump([asdict(token) for token in tokens], file, indent=1)
        os.replace(draft, path)
    except OSError as error:
        raise ConstellationError("The tokens can't be saved", where=str(path), detail=str(error),
                                 do="Check the permissions of the folder") from error


class Tokens:
    """The tokens that one server takes: those of the file as it is now, and its own.

    Args:
        own: the modify token of this process; empty for none.
        agent: whose memory `own` opens.
    """

    def __init__(self, own: str = "", agent: str = "default", path: Path | None = None) -> None:
        if own and len(own) < SHORTEST:
            raise ConstellationError(f"{VARIABLE} is too short", do=f"Give it at least {SHORTEST} "
                                     "characters that nobody guesses")
        self._path = path or tokens_file()
        self._own = (Token(hash_of(own), "modify", agent, stamp()),) if own else ()
        self._seen: tuple[int, int] | None = None
        self._kept: tuple[Token, ...] = ()

    def of(self, secret: str) -> Token | None:
        """The token that a caller shows; None if it does not hold."""
        given = hash_of(secret)
        matching = [token for token in (*self._own, *self._current())
                    if hmac.compare_digest(token.hash, given)]
        return matching[0] if matching else None

    def _current(self) -> tuple[Token, ...]:
        """Those of the file, read again once it was changed; none where it can't be read."""
        try:
            state = self._path.stat()
            seen = state.st_mtime_ns, state.st_ino
            if seen != self._seen:
                self._kept, self._seen = list_tokens(self._path), seen
        except (OSError, ConstellationError):
            self._kept, self._seen = (), None
        return self._kept
