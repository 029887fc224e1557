"""The files that decide a verdict, and what is made of them: its digest, and the key under which it
is kept for another time."""

import hashlib
import json
import os
import pathlib
import re

from .. import _engine

INCLUDE = re.compile(r'^[ \t\f\v]*#[ \t\f\v]*include[ \t\f\v]*"([^"\n]+)"', re.MULTILINE)
MOST_BYTES = 64 << 20  # of a file that is included: no compiler ends with more


def of_task(task, folder):
    """Pairs of a name and a hash: the source with what it includes, or the package; the reference;
    inputs. Names are those that the task has, wherever it lies."""
    paths = sources_of(task.source, task.options)
    reference = task.reference
    if isinstance(reference, str):
        paths.append(folder / reference.rpartition(":")[0])
    elif isinstance(reference, dict) and "source" in reference:
        paths += sources_of(folder / str(reference["source"]), task.options)
    elif isinstance(reference, dict) and "file" in reference:
        named = reference["file"]
        named = list(named.values()) if isinstance(named, dict) else [named]
        paths += [folder / str(one) for one in named]
    paths += [folder / str(parameter.draw["file"]) for parameter in task.parameters
              if "file" in parameter.draw]
    return [(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
            for path in paths if is_source(path)]


def is_source(path):
    """A file of which reading ends: not /proc/kmsg, say, which a source may name; nor what it may
    not read, or no file can be called."""
    try:
        return path.is_file() and os.access(path, os.R_OK) and \
            str(path.resolve()).split("/")[1] not in ("proc", "sys", "dev")
    except OSError:
        return False


def sources_of(source, options):
    """A source and, as far as quotes name them, the files that it includes; or all of a folder."""
    if source.is_dir():
        return sorted(path for path in source.rglob("*") if path.is_file())
    folders = [pathlib.Path(word[2:]) for word in map(str, options) if word.startswith("-I")]
    found, waiting = [], [source]
    while waiting:
        path = waiting.pop()
        if not is_source(path) or path.stat().st_size > MOST_BYTES:
            continue
        path = path.resolve()
        if path in found:
            continue
        found.append(path)
        for name in INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace")):
            waiting += [folder / name for folder in (path.parent, *folders)]
    return found


def hash_of(*parts):
    """Of what JSON can hold."""
    text = json.dumps([_engine.VERSION, *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Kept:
    """Verdicts in a folder that processes may share, each under what decided it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def file_of(self, key):
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key):
        """A verdict, or None."""
        try:
            verdict = json.loads(self.file_of(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return verdict if isinstance(verdict, dict) and {"id", "verdict"} <= set(verdict) else None

    def put(self, key, verdict):
        """Keeps it; at once, so that nobody reads a part."""
        file = self.file_of(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(verdict), encoding="utf-8")
        part.replace(file)


def digest(fields, decided_by, verdict):
    """Of all that decided a verdict, and of itself, but for its texts: those of compilers are the
    host's, and what crashes says at which address."""
    told = {name: value for name, value in verdict.items() if name != "problem"}
    told["findings"] = [{**finding, "message": ""} for finding in verdict["findings"]]
    return hash_of(fields, decided_by, told)
