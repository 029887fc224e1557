"""Sizes: the numbers that shapes are made of, and those of them that find mistakes."""

import ast
import dataclasses
import math
import operator

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
# Around the lanes of a datablock, a repeat and a tile, for elements of any size: tails on both
# sides.
TELLING = (1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023,
           1024, 1025, 2047, 2048, 2049, 4099, 8191, 8192, 16385, 40961, 65536, 100003)


ALIGNMENTS = 8


@dataclasses.dataclass
class Range:
    """All multiples of `step` from `low` to `high`, which are some too."""

    low: int
    high: int
    step: int

    def telling(self):
        """Those that show most: both ends, and tails."""
        numbers = TELLING + tuple(self.step * number for number in (1, 2, 3, 5, 8, 13))
        return sorted({self.low, self.high} | {number for number in numbers if number in self})

    def __contains__(self, number):
        return self.low <= number <= self.high and number % self.step == 0

    def numbers(self, most, source):
        """At most so many: telling ones for the one half, and for the other what `source` draws, of
        any magnitude, with each alignment that is not there yet."""
        if (self.high - self.low) // self.step < most:
            return list(range(self.low, self.high + 1, self.step))
        chosen, telling = {self.low, self.high}, self.telling()
        for place in spread(range(len(telling)), most - most // 2)[1:-1]:
            nearest = sorted(telling, key=lambda number: abs(telling.index(number) - place))
            chosen.add(next((number for number in nearest
                             if self.alignment(number) in self.missing(chosen)), nearest[0]))
        while len(chosen) < most:
            number = round(math.exp(source.uniform(math.log(self.low + 1),
                                                   math.log(self.high + 1)))) // self.step
            missing = self.missing(chosen)
            wanted = missing[0] if missing else number % ALIGNMENTS
            number = (number // ALIGNMENTS * ALIGNMENTS + wanted) * self.step
            if number in self:
                chosen.add(number)
        return sorted(chosen)

    def alignment(self, number):
        return number // self.step % ALIGNMENTS

    def missing(self, numbers):
        """The alignments that none of these has."""
        return sorted(set(range(ALIGNMENTS)) - set(map(self.alignment, numbers)))


def value_of(expression, known):
    """A number, or an expression of sizes with + - * // % and brackets; ValueError for others."""
    if isinstance(expression, int) and not isinstance(expression, bool):
        return expression
    if not isinstance(expression, str):
        raise ValueError(f"{expression!r} is neither a whole number nor an expression")
    try:
        return evaluated(ast.parse(expression, mode="eval").body, known)
    except (SyntaxError, ZeroDivisionError) as error:
        raise ValueError(f"{expression!r}: {error}") from None


def evaluated(node, known):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluated(node.left, known), evaluated(node.right, known))
    raise ValueError(f"{ast.unparse(node)!r} is no number, size or sum; sizes: {sorted(known)}")


def rules_of(entries, wrong):
    """{"n": {"from": 1, "to": 65536, "multiple_of": 1}} or {"n": [1, 100, 1000]}, by name."""
    rules = {}
    for name, rule in entries.items():
        if isinstance(rule, int):
            rule = [rule]
        if isinstance(rule, dict) and set(rule) <= {"from", "to", "multiple_of"} and "to" in rule:
            rule = range_of(rule.get("from", 1), rule["to"], rule.get("multiple_of", 1))
        if not isinstance(rule, Range) and (not isinstance(rule, list) or not rule or
                                            not all(isinstance(n, int) for n in rule)):
            raise wrong(f"size {name}: {entries[name]!r}",
                        "numbers, or from, to and multiple_of with a number between")
        rules[name] = rule
    return rules


def range_of(low, high, step):
    """With multiples of `step` at its ends; None if there is none between."""
    if not all(isinstance(number, int) for number in (low, high, step)) or step < 1:
        return None
    low, high = -(-low // step) * step, high // step * step
    return Range(low, high, step) if 0 <= low <= high else None


def spread(numbers, most):
    """So many of them, both ends among them."""
    count = min(len(numbers), most)
    return [numbers[index * (len(numbers) - 1) // max(count - 1, 1)] for index in range(count)]


def cases(rules, most, source):
    """Choices of all sizes, at most so many: of each size as many numbers as there is room for, the
    sizes turned against each other. `source` draws some of a range."""
    if not rules:
        return [{}]
    numbers = {name: rule.numbers(most, source) if isinstance(rule, Range) else rule
               for name, rule in rules.items()}
    longest = max(map(len, numbers.values()))
    return [{name: rule[(at + turn * 7) % len(rule)] if turn else rule[at % len(rule)]
             for turn, (name, rule) in enumerate(numbers.items())}
            for at in spread(range(longest), most)]
