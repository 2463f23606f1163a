#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints which files and functions are over the size budget of CONTRIBUTING.md: size_budget.py ROOT

It informs and never fails: reaching a limit is a reason to look for the missing concept.
"""
import pathlib
import re
import statistics
import sys

FILE_LINES = {"median": 200, "p90": 400, "max": 600}
FUNCTION_LINES = {"median": 8, "p90": 25, "max": 60}
PUBLIC_HEADER_LINES = 300

NOT_CODE = re.compile(
    r'R"(?P<raw>[^(]{0,16})\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*',
    re.DOTALL | re.MULTILINE,
)
# What stands before the brace of a body: a parameter list and what may follow it.
FUNCTION_HEAD = re.compile(r"\)\s*(?:const|noexcept|override|final|mutable|&{1,2}|->[^;{}()]*|:[^;{}]*|\s)*$")
NAME = re.compile(r"([~\w:]+)\s*\($|(operator\S+)\s*\($")
KEYWORDS = {"if", "for", "while", "switch", "catch", "constexpr", "return"}


def functions(text):
    """Yields (name, first line, lines between its braces) of each function that has a body and a name."""
    code = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    start = 0  # of the statement that we are in
    i = 0
    while i < len(code):
        character = code[i]
        if character in ";}":
            start = i + 1
        elif character == "{":
            head = code[start:i]
            name = function_name(head)
            if name:
                end = matching(code, i, "{", "}")
                first = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
                yield name, first, max(code.count("\n", i, end) - 1, 1)
                i = end
            start = i + 1
        i += 1


def matching(code, position, opening, closing):
    depth = 0
    for i in range(position, len(code)):
        depth += (code[i] == opening) - (code[i] == closing)
        if depth == 0:
            return i
    return len(code) - 1


def function_name(head):
    if not FUNCTION_HEAD.search(head):
        return None
    depth = 0
    for i, character in enumerate(head):  # the first parenthesis that is not inside <> or another one
        if character == "(" and depth == 0:
            match = NAME.search(head[: i + 1])
            if match and (match[1] or match[2]) not in KEYWORDS:
                return match[1] or match[2]
            return None
    return None


def quantiles(values):
    ordered = sorted(values)
    return {
        "median": statistics.median(ordered),
        "p90": ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))],
        "max": ordered[-1],
    }


def report(kind, sizes, budget):
    if not sizes:
        return
    found = quantiles([lines for _, lines in sizes])
    shape = ", ".join(
        f"{key} {found[key]:g} of {budget[key]}{' OVER' if found[key] > budget[key] else ''}" for key in budget
    )
    print(f"{kind} ({len(sizes)}): {shape}")
    for where, lines in sorted(sizes, key=lambda size: -size[1]):
        if lines > budget["max"]:
            print(f"  over: {where}: {lines} lines")


def main():
    root = pathlib.Path(sys.argv[1])
    files, bodies, headers = [], [], []
    for folder in ("include", "src", "fake", "apps"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".hpp", ".cpp"}:
                continue
            name = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            (headers if folder == "include" else files).append((name, text.count("\n")))
            bodies += [(f"{name}:{line} {function}", lines) for function, line, lines in functions(text)]
    report("files", files, FILE_LINES)
    report("functions", bodies, FUNCTION_LINES)
    for name, lines in headers:
        if lines > PUBLIC_HEADER_LINES:
            print(f"  over: public header {name}: {lines} of {PUBLIC_HEADER_LINES} lines")


if __name__ == "__main__":
    main()
