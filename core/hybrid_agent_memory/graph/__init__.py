"""Entities and facts: names, values, resolution and timelines. Pure functions; nothing here is stored."""
