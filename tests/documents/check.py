#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the pages to the programs: check.py ROOT [DOCUMENTS]

- docs/documents.md has a row for each code block of the source documents, in order, and each row names files that exist;
  a row may name an issue instead while BROUGHT_BY says so;
- with DOCUMENTS, the folder of the source documents, the first lines in the rows are the documents';
- every example is under 80 lines and has an expected output, and every expected output an example;
- code blocks of the pages that name an example are its marked part, or its output; links inside the pages lead somewhere.
"""
import pathlib
import re
import sys
import textwrap

# How many code blocks each document has. The documents do not change.
BLOCKS = {"000": 8, "001": 4, "002": 4, "004": 14}
# Blocks that an issue will bring; the issue that does takes its blocks out of here.
BROUGHT_BY = {
    6: ["001.1", "001.2", "001.3", "001.4"],
}
MAX_EXAMPLE_LINES = 79

ROW = re.compile(r"^\| (\d{3}\.\d+) \| `([^`]+)` \| (.+?) \| (.*?) ?\|$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
ISSUE = re.compile(r"\bissue (\d+)\b")
SNIPPET = re.compile(r"<!-- (examples/[\w/]+\.(?:cpp|txt)) -->\n```(?:cpp|text)\n(.*?)```\n", re.DOTALL)
MARKED = re.compile(r"^ *// README: begin\n(.*?)^ *// README: end\n", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"```.*?```", re.DOTALL)
FIRST_SCREEN = ["examples/double.cpp", "examples/double_no_exceptions.cpp"]


def read(path):
    return path.read_text(encoding="utf-8")


def check_rows(rows):
    wanted = [f"{document}.{block}" for document, count in BLOCKS.items() for block in range(1, count + 1)]
    found = [number for number, _, _, _ in rows]
    if found != wanted:
        missing = sorted(set(wanted) - set(found)) or "none"
        surplus = sorted(set(found) - set(wanted)) or "none"
        yield f"the blocks are not each there once, in order; missing: {missing}, unknown: {surplus}"
    issue_of = {number: issue for issue, numbers in BROUGHT_BY.items() for number in numbers}
    for number, _, shown_by, _ in rows:
        files, issue = LINK.findall(shown_by), ISSUE.search(shown_by)
        if number in issue_of:
            if not files and (not issue or int(issue[1]) != issue_of[number]):
                yield f"block {number} names neither a file nor issue {issue_of[number]}, which will bring it"
        elif not files:
            yield f"block {number} is mapped to no file"
        elif not any(re.search(r"(^|/)(examples|tests)/", file) for file in files):
            yield f"block {number} is mapped to nothing that runs: {', '.join(files)}"


def check_first_lines(rows, documents):
    for document in BLOCKS:
        [path] = documents.glob(f"{document}-*.txt")
        lines = [line.strip() for line in read(path).splitlines()]
        position = 0
        for number, first_line, _, _ in rows:
            if number.startswith(document):
                if first_line not in lines[position:]:
                    yield f"block {number}: {path.name} has no such line from line {position + 1} on: {first_line}"
                else:
                    position += lines[position:].index(first_line) + 1


def check_examples(examples):
    names = {path.stem for path in examples.glob("*.cpp")}
    expected = {path.stem for path in (examples / "expected").glob("*.txt")}
    for name in sorted(names ^ expected):
        yield f"examples: {name} has {'no expected output' if name in names else 'an expected output and no program'}"
    for path in sorted(examples.glob("*.cpp")):
        if (lines := read(path).count("\n")) > MAX_EXAMPLE_LINES:
            yield f"{path.name} has {lines} lines; an example has at most {MAX_EXAMPLE_LINES}"


def check_snippets(root, page):
    text = read(root / page)
    snippets = SNIPPET.findall(text)
    if page == "README.md" and [name for name, _ in snippets[:2]] != FIRST_SCREEN:
        yield f"{page} does not open with {' and '.join(FIRST_SCREEN)}"
    if text.count("<!-- examples/") != len(snippets):
        yield f"{page}: a comment that names an example is not followed by its code block"
    for name, code in snippets:
        source = read(root / name) if (root / name).exists() else ""
        marked = MARKED.search(source)
        wanted = source if name.endswith(".txt") else textwrap.dedent(marked[1]) if marked else ""
        if not wanted:
            yield f"{page}: {name} does not exist, or marks no part with '// README: begin' and '// README: end'"
        elif wanted != code:
            yield f"{page}: the code block of {name} is not what {name} holds"


def check_links(root, page):
    for target in LINK.findall(CODE.sub("", read(root / page))):
        if "://" not in target and not (root / page).parent.joinpath(target).exists():
            yield f"{page}: nothing is at {target}"


def main():
    root = pathlib.Path(sys.argv[1])
    rows = ROW.findall(read(root / "docs/documents.md"))
    problems = [f"docs/documents.md: {problem}" for problem in check_rows(rows)]
    if len(sys.argv) > 2:
        problems += check_first_lines(rows, pathlib.Path(sys.argv[2]))
    problems += check_examples(root / "examples")
    for page in ("README.md", "docs/guide.md", "docs/documents.md"):
        problems += check_snippets(root, page)
        problems += check_links(root, page)
    print("\n".join(problems) or f"{len(rows)} code blocks are mapped")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
