"""The OpenAPI document and its pages."""
