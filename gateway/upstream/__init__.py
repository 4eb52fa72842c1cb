"""gRPC clients of the engines and the tournament service."""
