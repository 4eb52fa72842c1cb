"""Prints the OpenAPI document without its operations: the components, of which `src/schema.ts` has the types."""

from __future__ import annotations

import json

from gateway.app import create_app
from gateway.settings import GatewaySettings

if __name__ == "__main__":
    print(json.dumps({**create_app(GatewaySettings(engine_address="127.0.0.1:1")).openapi(), "paths": {}}))
