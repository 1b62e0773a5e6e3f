"""What to do about an error, said once for a command line and once for a window."""


class Advice(str):
    """The words for a command line, which name commands; `window` says the same for somebody who
    has a window and no shell: it names menu entries and buttons as they are called there."""

    __slots__ = ("window",)
    window: str

    def __new__(cls, command: str, window: str) -> "Advice":
        made = super().__new__(cls, command)
        made.window = window
        return made

    def __reduce__(self) -> tuple[type["Advice"], tuple[str, str]]:
        return Advice, (str(self), self.window)


_RESTORE = "Restore a backup with “constellation restore”"
_RESTORE_IN_WINDOW = "Choose File › Restore a backup…"

NOT_THERE = Advice(
    "Check the path, or create a graph with “constellation new PATH”",
    "It may have been moved, renamed or deleted: choose it under File › Open…")
FILE_IS_EMPTY = Advice(f"{_RESTORE}, or create a graph with “constellation new PATH”",
                       f"{_RESTORE_IN_WINDOW}, or File › New graph…")
ENCRYPTED = Advice(
    "Decrypt or decompress it first",
    f"Decrypt or decompress it first, or choose {_RESTORE_IN_WINDOW.removeprefix('Choose ')}")
NO_GRAPH_YET = Advice("Create a graph with “constellation new PATH”",
                      "Create a graph there with File › New graph…")
INCOMPLETE = Advice(f"{_RESTORE}, or save what is left with “sqlite3 FILE .recover”",
                    _RESTORE_IN_WINDOW)
DAMAGED = Advice(
    f"{_RESTORE}, which keeps the damaged file, or run “sqlite3 FILE .recover”",
    f"{_RESTORE_IN_WINDOW}: the damaged file is kept")
IS_JSON = Advice("Import it with “constellation import FILE --store DEST”",
                 "Choose File › Import…")
BACKUPS = Advice("“constellation restore” lists the backups of a graph",
                 "File › Restore a backup… lists the backups of the graph that is open")
WRONG_FIELDS = Advice(
    "“constellation info” lists all such fields; correct them with the program that wrote them",
    "Help › About and diagnostics… lists all such fields; correct them with the program that "
    "wrote them")
BROKEN_ROWS = Advice("“constellation info” lists what is not as it should be",
                     "Help › About and diagnostics… lists what is not as it should be")
HALF_WRITTEN = Advice("Open it once with that program, or with “sqlite3 FILE .tables”",
                      "Open it once with that program")
ASSERTIONS = Advice("“constellation ontology assertion list” shows them",
                    "The Inspector lists them under Said about it")
EXPECTATIONS = Advice("“constellation expect list” lists them",
                      "Go › Expectations lists them")
INBOX = Advice("“constellation inbox” lists what is new", "Go › Inbox lists what is new")
IDS = Advice("“constellation recall” and “constellation knowledge tree --json” print ids",
             "In What the agent sees, right-click a line and choose what must come")


def expected_otherwise(id: str) -> Advice:
    """What to do where the opposite of a new expectation stands already, under this id."""
    return Advice(f"Remove that first: constellation expect remove {id[:8]}",
                  "Remove that first: select it under Go › Expectations and press Delete")


def back_in_force(id: str) -> Advice:
    """What to do about the value of this id, which is no longer in force."""
    return Advice(f"“constellation ontology claim restore {id}” brings it back",
                  "Restore it in Claim history")


def unpack(command: str) -> Advice:
    """What to do with a packed file that this command unpacks."""
    return Advice(f"Decompress it first, such as with “{command} FILE”",
                  "Decompress it first, then open what was in it")


def still_otherwise(link: str, id: str) -> Advice:
    """What to do about a link, by its words and id, that a newer value does not agree with."""
    still = f"The link {link} still says otherwise: archive it?"
    return Advice(f"{still} “constellation ontology link archive {id}”",
                  f"{still} Its menu has “Archive”")


def back_to(backup: str) -> Advice:
    """How to put back all of a graph that a restore, with later changes on it, took away."""
    return Advice(f"Undo that first, or put back all with: constellation restore {backup}",
                  "Undo that first, or choose that backup under File › Restore a backup…")
