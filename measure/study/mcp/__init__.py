"""The experiments on MCP, and the captures that they read: a module a result, and `capturing`, which makes captures."""
