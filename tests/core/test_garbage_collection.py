"""The garbage collector rests while many rows are read, and only then."""

import gc

from core.garbage_collection import loading, resting_collector


def test_it_goes_on_after_the_last_reader_and_stays_off_where_it_was() -> None:
    assert gc.isenabled()
    with resting_collector():
        with resting_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with resting_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_loaded_is_never_looked_through() -> None:
    before = gc.get_freeze_count()
    with loading():
        assert not gc.isenabled()
        made = [[] for _ in range(10_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(made)
