"""What the tasks of the tests are judged by."""


def add(x, y):
    return x + y


def fail(x, y):
    raise RuntimeError(f"no sum of {x.size} and {y.size} elements")


def one(x):
    return x[:1]


def same(x):
    return x


def negative(x):
    return -x


def one_more(x):
    return 1 - x


def one_input(x, y):
    return x


def twice(x):
    return 2 * x
