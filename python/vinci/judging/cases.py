"""The runs of one task: sizes, blocks, schedules and inputs, chosen so that mistakes show."""

import dataclasses

import numpy as np

from . import sizes
from .draws import draw, garbage, generator
from .tasks import DTYPES, wrong

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
    special: bool    # NaN, infinities, zeros and extremes among the inputs
    values: dict
    shapes: dict

    def named(self):
        """What tells it apart, for verdicts."""
        told = {"soc": self.soc, "sizes": self.sizes, "blocks": self.blocks,
                "schedule": self.schedule, "round": self.round}
        return {**told, "special": True} if self.special else told

    def draw(self, folder):
        """Draws the inputs. The same case draws the same."""
        self.before = {}
        for parameter in self.task.parameters:
            if parameter.direction == "value":
                continue
            shape = self.shapes[parameter.name]
            source = generator(self.task.id, self.task.seed, parameter.name, sorted(
                self.sizes.items()), self.round)
            if parameter.goes_in:
                array = draw(parameter, shape, source, folder, self.special)
            elif parameter.direction == "zeros":
                array = np.zeros(shape, DTYPES[parameter.dtype])
            else:
                array = garbage(parameter, shape, source)
            self.before[parameter.name] = array


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


def cases_of(task):
    """All of them: each size twice, with other inputs at the same places; blocks, schedules and
    chips take turns, and all of them meet in the first size."""
    chosen = sizes.cases(task.sizes, MOST_SIZES)
    cases = []

    def add(known, turn, soc, blocks, schedule, special=False):
        shapes, values = shapes_of(task, known)
        cases.append(Case(task, soc, known, blocks, schedule, turn, special, values, shapes))

    for soc in task.socs:
        for index, known in enumerate(chosen):
            for turn in range(2):
                add(known, turn, soc, task.blocks[index % len(task.blocks)],
                    task.schedules[(index + turn) % len(task.schedules)])
        middle = chosen[len(chosen) // 2]
        for blocks in task.blocks:
            for schedule in task.schedules:
                add(middle, 2, soc, blocks, schedule)
        if task.special:
            add(middle, 3, soc, task.blocks[0], task.schedules[0], True)
    return cases
