#error "a test that is not part of the package"
