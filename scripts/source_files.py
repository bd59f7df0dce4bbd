"""What the checks of this folder share: which files are ours, text without comments, findings, the self-test."""

import dataclasses
import pathlib
import sys
import tempfile

SKIPPED_FOLDERS = {"build", "node_modules", "__pycache__"}
CODE = {".cpp", ".hpp"}


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    file: str
    line: int
    rule: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.rule}"


def own_files(root):
    """Every file of the project, the build's own, hidden folders and fetched modules left out."""
    for path in sorted(root.iterdir()):
        if path.is_dir():
            if path.name not in SKIPPED_FOLDERS and (not path.name.startswith(".") or path.name == ".ci"):
                yield from own_files(path)
        elif path.is_file():
            yield path


def without_comments(text):
    """The same text with the characters of C++ comments blanked, so that lines and columns stay."""
    out = []
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            end = end + 2 if end >= 0 else -1
        else:
            end = end_of_literal(text, at)
            out.append(text[at:end])
            at = end
            continue
        end = len(text) if end < 0 else end
        out.append("".join(c if c == "\n" else " " for c in text[at:end]))
        at = end
    return "".join(out)


def end_of_literal(text, at):
    """Where what begins at `at` ends: a string or character literal, or one character of anything else."""
    if text.startswith('R"', at) and not (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
        opening = text.find("(", at)
        end = text.find(")" + text[at + 2:opening] + '"', opening)
        return len(text) if end < 0 else end + opening - at
    quote = text[at]
    digit_separator = quote == "'" and at and text[at - 1].isalnum()
    if quote not in "\"'" or digit_separator:
        return at + 1
    end = at + 1
    while end < len(text) and text[end] not in (quote, "\n"):
        end += 2 if text[end] == "\\" else 1
    return end + 1


def without_literals(code):
    """Code (its comments gone) with the characters of its literals blanked too."""
    out = []
    at = 0
    while at < len(code):
        end = end_of_literal(code, at)
        piece = code[at:end]
        out.append(piece if end == at + 1 else "".join(c if c == "\n" else " " for c in piece))
        at = end
    return "".join(out)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def report(findings, warnings=()):
    """Prints what was found; the exit code."""
    for warning in sorted(warnings):
        print(f"{warning} (warning)")
    for finding in sorted(findings):
        print(finding)
    return 1 if findings else 0


def self_test(look, planted, innocent):
    """Proves that `look(root)` finds each planted fault at its line, and nothing in what is innocent.

    `planted` has (file, text, line, a part of the rule), `innocent` has (file, text)."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, line, rule in planted:
            root = pathlib.Path(tempfile.mkdtemp(dir=folder))
            found = look_at(root, look, name, text)
            if not any(each.file == name and each.line == line and rule in each.rule for each in found):
                failures.append(f"not found: {name}:{line}: {rule}; found {[str(each) for each in found]}")
        for name, text in innocent:
            root = pathlib.Path(tempfile.mkdtemp(dir=folder))
            for each in look_at(root, look, name, text):
                failures.append(f"found where nothing is: {each}")
    for failure in failures:
        print(failure)
    print(f"self-test: {len(planted)} planted faults, {len(innocent)} innocent files, {len(failures)} failures")
    return 1 if failures else 0


def look_at(root, look, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return look(root)


def main(look, planted, innocent, warn=None):
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        return self_test(look, planted, innocent)
    if sys.argv[1:]:
        print(f"usage: {sys.argv[0]} [--self-test]", file=sys.stderr)
        return 2
    return report(look(root), warn(root) if warn else ())
