"""The older name of the toolkit's package. Sources: CANN 8.x TIK reference."""
