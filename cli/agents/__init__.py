"""MCP server of `fireside mcp`: tools with which agents (language models) play over the REST interface."""
