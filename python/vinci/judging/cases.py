"""The runs of one task: sizes, blocks, schedules and inputs, chosen so that mistakes show."""

import dataclasses

import numpy as np

from . import sizes
from .draws import draw, garbage, generator
from .tasks import DTYPES, TOLERANCES, wrong

MOST_SIZES = 10


@dataclasses.dataclass
class Case:
    """One run. `before` has the arrays of all parameters but values, as the kernel finds them."""

    task: object
    soc: str
    sizes: dict
    blocks: int
    schedule: str
    round: int       # another one has other inputs
    kind: str        # "", or "special": NaN, infinities, zeros and extremes among the inputs;
                     # or "aliased": inputs of one type and shape are one array; or "other blocks":
                     # so many that the task says nothing of them
    values: dict
    shapes: dict

    def named(self):
        """What tells it apart, for verdicts."""
        told = {"soc": self.soc, "sizes": self.sizes, "blocks": self.blocks,
                "schedule": self.schedule, "round": self.round}
        return {**told, self.kind: True} if self.kind else told

    @property
    def special(self):
        return self.kind == "special"

    @property
    def decides(self):
        """Whether the verdict hangs on it; else it is told beside."""
        return self.kind != "other blocks" and not (self.special and self.task.special is None)

    def draw(self, folder):
        """Draws the inputs. The same case draws the same."""
        self.before, self.errors = {}, {}
        for parameter in self.task.parameters:
            if parameter.direction == "value":
                continue
            shape = self.shapes[parameter.name]
            source = chance(self.task, parameter.name, sorted(self.sizes.items()), self.round)
            twin = self.twin_of(parameter)
            if twin is not None:
                array = self.before[twin]
            elif parameter.goes_in:
                array = draw(parameter, shape, source, folder, self.special)
            elif parameter.direction == "zeros":
                array = np.zeros(shape, DTYPES[parameter.dtype])
            else:
                array = garbage(parameter, shape, source)
            self.before[parameter.name] = array

    def twin_of(self, parameter):
        """The name of the input before it that it is the same array as; None: there is none."""
        if self.kind != "aliased" or parameter.direction != "in":
            return None
        for other in self.task.parameters:
            if other is parameter:
                return None
            if other.direction == "in" and other.dtype == parameter.dtype \
                    and self.shapes[other.name] == self.shapes[parameter.name]:
                return other.name
        return None


def chance(task, *words):
    """A generator of its own for these words, the same wherever the task is judged, and another one
    for another text of the kernel: who writes it cannot know its inputs."""
    return generator(task.id, task.seed, task.text, *words)


def shapes_of(task, known):
    """Shapes and values for these sizes."""
    shapes, values = {}, {}
    for parameter in task.parameters:
        try:
            if parameter.direction == "value":
                values[parameter.name] = (parameter.value if isinstance(parameter.value, float)
                                          else sizes.value_of(parameter.value, known))
            else:
                shapes[parameter.name] = tuple(sizes.value_of(part, known)
                                               for part in parameter.shape)
        except ValueError as error:
            raise wrong(f"parameter {parameter.name}: {error}",
                        "numbers, sizes, + - * // %") from None
        if any(part < 0 for part in shapes.get(parameter.name, ())):
            raise wrong(f"shape {shapes[parameter.name]} of {parameter.name}", "0 and more")
    return shapes, values


def takes_special(parameter):
    """Whether special numbers can be among what it holds."""
    return parameter.goes_in and parameter.dtype in TOLERANCES and "file" not in parameter.draw


def cases_of(task):
    """All of them: each size twice, with other inputs at the same places; blocks, schedules and
    chips take turns, and all of them meet in the middle size; so do inputs that are one array, and
    special numbers."""
    chosen = sizes.cases(task.sizes, MOST_SIZES, chance(task, "sizes"))
    cases = []

    def add(known, turn, soc, blocks, schedule, kind=""):
        shapes, values = shapes_of(task, known)
        case = Case(task, soc, known, blocks, schedule, turn, kind, values, shapes)
        if kind != "aliased" or any(map(case.twin_of, task.parameters)):
            cases.append(case)

    for soc in task.socs:
        for index, known in enumerate(chosen):
            for turn in range(2):
                add(known, turn, soc, task.blocks[index % len(task.blocks)],
                    task.schedules[(index + turn) % len(task.schedules)])
        middle = chosen[len(chosen) // 2]
        for blocks in task.blocks:
            for schedule in task.schedules:
                add(middle, 2, soc, blocks, schedule)
        add(middle, 3, soc, task.blocks[0], task.schedules[0], "aliased")
        if task.special is not False and any(takes_special(one) for one in task.parameters):
            add(middle, 4, soc, task.blocks[0], task.schedules[0], "special")
        for blocks in task.other_blocks:
            add(middle, 5, soc, blocks, task.schedules[0], "other blocks")
    return cases
