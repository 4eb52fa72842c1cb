"""The services: what lies between the rules and the network."""
