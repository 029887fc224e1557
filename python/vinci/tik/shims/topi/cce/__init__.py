"""Checks of operators' parameters."""
