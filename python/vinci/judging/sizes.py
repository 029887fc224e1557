"""Sizes: the numbers that shapes are made of, and those of them that find mistakes."""

import ast
import operator

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
# Around the lanes of a datablock, a repeat and a tile, for elements of any size: tails on both
# sides.
TELLING = (1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023,
           1024, 1025, 2047, 2048, 2049, 4099, 8191, 8192, 16385, 40961, 65536, 100003)


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
            low, high = rule.get("from", 1), rule["to"]
            step = rule.get("multiple_of", 1)
            rule = telling(low, high, step)
        if not isinstance(rule, list) or not rule or not all(isinstance(n, int) for n in rule):
            raise wrong(f"size {name}: {entries[name]!r}",
                        "numbers, or from, to and multiple_of with a number between")
        rules[name] = rule
    return rules


def telling(low, high, step):
    """The sizes within a rule that show most: both ends, and tails."""
    ends = [-(-low // step) * step, high // step * step]
    inside = [number for number in TELLING if low <= number <= high and number % step == 0]
    inside += [step * number for number in (1, 2, 3, 5, 8, 13) if low <= step * number <= high]
    return sorted({number for number in ends + inside if low <= number <= high})


def cases(rules, most):
    """Choices of all sizes, at most so many: of each size as many numbers as there is room for, the
    sizes turned against each other."""
    if not rules:
        return [{}]
    longest = max(map(len, rules.values()))
    count = min(longest, most)
    chosen = []
    for index in range(count):
        at = index * (longest - 1) // max(count - 1, 1)
        chosen.append({name: rule[(at + turn * 7) % len(rule)] if turn else rule[at % len(rule)]
                       for turn, (name, rule) in enumerate(rules.items())})
    return chosen
