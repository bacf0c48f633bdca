"""The engine for one machine: one SQLite file, and indexes in memory that are derived from it."""
