"""What engines and gateways must agree on: who may call, where Redis is, and how settings are written."""
