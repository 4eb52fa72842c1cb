"""Pages of other origins: what they may send, and may read."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from gateway import problems


class Cors(CORSMiddleware):
    """That of Starlette, with its refusals of preflights as problems."""

    def preflight_response(self, request_headers: Headers) -> Response:
        """The answer to a preflight, of which the headers are what browsers look at."""
        answer = super().preflight_response(request_headers)
        if answer.status_code < 400:
            return answer
        refusal = problems.response(problems.preflight_refused(), "")
        refusal.headers.update({name: answer.headers[name] for name in answer.headers if name not in refusal.headers})
        return refusal
