"""The ranking signals, one module each."""
