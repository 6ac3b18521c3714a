"""Host and join: the same fold of actions behind a WebSocket, a view per seat."""
