"""A process that compiles and launches kernels for another one. Each launch is a fork of it: so it is
small, and has nothing in its memory that a kernel must not see, as results that are wanted."""

import marshal
import signal

from . import _engine


def tell(file, message):
    """Numbers, text, bytes, and lists and tuples of them."""
    data = marshal.dumps(message)
    file.write(len(data).to_bytes(8, "little") + data)
    file.flush()


def heard(file):
    """The next message. EOFError: the other side is gone."""
    size = int.from_bytes(file.read(8), "little")
    data = file.read(size)
    if not data or len(data) != size:
        raise EOFError
    return marshal.loads(data)


def room(data):
    """A buffer with these bytes, at an address of its own even if there are none."""
    buffer = memoryview(bytearray(len(data) + 1))[:len(data)]
    buffer[:] = data
    return buffer


def found(run):
    """What a run found, as bytes and numbers."""
    return run.is_clean, run.timed_out, run.seconds, "" if run.is_clean else run.report()


class Answers:
    """What may be asked for, by name."""

    def __init__(self):
        self.kernels = []

    def compile(self, *words):
        """A new kernel: its number, and what _engine.Kernel knows of it."""
        kernel = _engine.Kernel(*words)
        self.kernels.append(kernel)
        return (len(self.kernels) - 1, kernel.name, kernel.soc, kernel.signature,
                kernel.messages, kernel.parameters)

    def package(self, *words):
        """A new package of operators: its number, and what it has, as JSON."""
        package = _engine.Package(*words)
        self.kernels.append(package)
        return len(self.kernels) - 1, package.operators()

    def call(self, number, *words):
        """One operator: what came out, which inputs were overwritten, and what the run found."""
        run, outputs, _, overwritten = self.kernels[number].call(*words)
        return ([(name, dtype, shape, bytes(data)) for name, dtype, shape, data in outputs],
                overwritten, *found(run))

    def not_device_code(self, number):
        return sorted(self.kernels[number].not_device_code)

    def check_count(self, number, count):
        self.kernels[number].check_count(count)

    def run(self, number, values, arrays, *how):
        """Of each parameter either its value or its array's bytes; the other is None, and a number
        says that the array is that parameter's. What the arrays hold afterwards, and what the run
        found."""
        buffers = []
        for value, array in zip(values, arrays):
            buffers.append(value if value is not None else
                           buffers[array] if isinstance(array, int) else room(array))
        run = self.kernels[number].run(buffers, *how)
        after = [bytes(buffer) if value is None else None
                 for value, buffer in zip(values, buffers)]
        return after, *found(run)

    def forget(self):
        """All kernels."""
        self.kernels.clear()


def main(questions, answers):
    """Answers what comes, until nobody is there who asks."""
    _engine.end_with_parent()
    _engine.enter_group(True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks decides
    known = Answers()
    with open(questions, "rb") as questions, open(answers, "wb") as answers:
        while True:
            try:
                name, *words = heard(questions)
            except EOFError:
                return
            try:
                answer = True, getattr(known, name)(*words)
            except _engine.LaunchError as error:
                answer = False, error.args
            except (TypeError, ValueError) as error:  # words that the engine does not take
                answer = False, ("usage", str(error)[:200])
            tell(answers, answer)
