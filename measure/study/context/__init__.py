"""Experiments on context over a session: the synthetic sessions, real ones, and what others published."""
