"""The two handles that all of core takes: a Reader for queries, a Writer for changes.

Both are scoped to one agent: every statement can name `:agent`. Plain table names show any
generation of file in the native schema; writes go through `insert`, `update` and their kin,
which know what the file really has.
"""

from core.store.ids_and_times import new_id, stamp
from core.store.reader import Reader
from core.store.writer import Writer

__all__ = ["Reader", "Writer", "new_id", "stamp"]
