"""The operator language's package; of it scripts take cce_intrin.get_bit_len."""
