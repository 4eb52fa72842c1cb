"""CORS: Starlette's middleware, with problem responses."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from gateway import problems


class Cors(CORSMiddleware):
    """Starlette's CORS middleware; a refused preflight is a problem response."""

    def preflight_response(self, request_headers: Headers) -> Response:
        """The response to a preflight. A refusal has the CORS headers too, since browsers read them."""
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        refusal = problems.response(problems.preflight_refused(), "")
        refusal.headers.update(
            {name: response.headers[name] for name in response.headers if name not in refusal.headers}
        )
        return refusal
