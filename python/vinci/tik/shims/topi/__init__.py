"""The operator language's library: only the checks of topi.cce.util are here."""
