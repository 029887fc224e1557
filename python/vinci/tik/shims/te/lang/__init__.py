"""The operator language: not part of vinci."""
