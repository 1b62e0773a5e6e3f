"""Says no in words: `{"error": "…"}`, and what to do about it."""

import json

from starlette.responses import JSONResponse

from core.errors import ConstellationError, NotWritable, OperationError
from explorer.model_json import plain


class JsonResponse(JSONResponse):
    """Any of the model's objects as JSON."""

    def render(self, content: object) -> bytes:
        """It as UTF-8, which holds no half of a character."""
        return json.dumps(plain(content), ensure_ascii=False, allow_nan=False).encode(
            "utf-8", "replace")


def refusal(status: int, error: str, **parts: str) -> JsonResponse:
    """A refusal with its words; empty parts are left out."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JsonResponse({"error": error, **{name: text for name, text in parts.items() if text}},
                        status, headers)


def refused(error: ConstellationError) -> JsonResponse:
    """What core refuses, with the status that tells whose fault it is."""
    return refusal(status_of(error), error.what, where=error.where, do=error.do,
                   field=getattr(error, "field", ""))


def status_of(error: ConstellationError) -> int:
    """The caller's mistake is 4xx; what the file or the machine can't do now is 503."""
    if isinstance(error, OperationError):
        return error.status
    return 403 if isinstance(error, NotWritable) else 503
