"""The pending proposals in order as JSON, the same on the command line and over HTTP."""

from core.review.queue_order import Listing, Weighed
from explorer.model_json import Json, plain


def queue_json(listing: Listing, limit: int, offset: int, *, grouped: bool) -> Json:
    """A page of them, each with its `worth`, and the groups of all where they are grouped."""
    answer: Json = {"items": [_item(item) for item in listing.items], "limit": limit,
                    "offset": offset, "count": listing.count}
    return {**answer, "groups": plain(listing.groups)} if grouped else answer


def _item(item: Weighed) -> Json:
    proposal = plain(item.proposal)
    assert isinstance(proposal, dict)
    return {**proposal, "worth": item.worth}
