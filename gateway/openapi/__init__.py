"""The OpenAPI document, generated from the protos, and Swagger UI."""
