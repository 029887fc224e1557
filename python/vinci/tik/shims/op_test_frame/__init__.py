"""The toolkit's frame for tests of operators: cases are collected, and run on vinci."""
