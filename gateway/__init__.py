"""REST gateway to the gRPC services. Routes, schemas and documents are derived from the protos; no game rules here."""
