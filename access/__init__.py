"""Who may call: what engines and gateways must agree on."""
