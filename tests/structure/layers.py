#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds who may know whom (docs/design.md, section 3): layers.py ROOT

- a folder of src includes only itself and folders that stand before it in FOLDERS;
- public headers include only the standard library and ferry/;
- webgpu.h is included, and functions of an engine are named, in few places: ENGINE_PLACES;
- ferry_fake includes nothing of ferry's;
- the program and the examples include public headers and no private ones.
"""
import pathlib
import re
import sys

FOLDERS = ["base", "layout", "engine", "core", "resource", "shader", "commands", "transfer", "device"]

# Types such as WGPUBuffer may be named anywhere in src; functions are called through the table of src/engine.
ENGINE_PLACES = ("src/engine/", "fake/", "tests/", "bench/", "include/ferry/interop.hpp", "include/ferry/linked.hpp",
                 "examples/triangle_pass.hpp", "apps/ferry/render_pass.cpp")
WEBGPU_HEADER_PLACES = tuple(place for place in ENGINE_PLACES if place != "include/ferry/interop.hpp")

SUFFIXES = {".hpp", ".cpp", ".h", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ENGINE_FUNCTION = re.compile(r"\bwgpu[A-Z]\w*")
# Comments and texts may name what they like. Raw strings first, since they hold quotes.
NOT_CODE = re.compile(
    r'R"(?P<raw>[^(]{0,16})\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL
)
STANDARD_HEADER = re.compile(r"[a-z_]+$")
# C headers without a dot do not exist, so a standard header is a plain word; these plain words are not standard.
FOREIGN_WORDS = {"rapidcheck"}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def without_comments(text):
    return NOT_CODE.sub(lambda match: match[0] if match[0][0] in "\"'R" else blank(match), text)


def check_include(name, path):
    """Says what is wrong with an #include of path in the file name, or nothing."""
    first = path.split("/")[0]
    if path.split("/")[-1] in {"webgpu.h", "wgpu.h"}:
        if not name.startswith(WEBGPU_HEADER_PLACES):
            return f"includes {path}; only src/engine, fake/ and linked.hpp do"
        return None
    if name.startswith("include/"):
        standard = STANDARD_HEADER.match(path) and path not in FOREIGN_WORDS
        if not standard and first != "ferry":
            return f"a public header includes {path}; it may include the standard library and ferry/ alone"
    elif name.startswith("src/"):
        own = name.split("/")[1]
        if own not in FOLDERS:
            return f"src/{own} has no place in the order of tests/structure/layers.py"
        if first in FOLDERS and FOLDERS.index(first) > FOLDERS.index(own):
            return f"src/{own} includes {path}, but {first} stands after {own} in the order of docs/design.md 3"
        if path.startswith(".") or "/../" in path:
            return f"includes {path}; name the folder instead"
    elif name.startswith("fake/"):
        if first == "ferry" or (first in FOLDERS and "/" in path):
            return f"includes {path}; ferry_fake shares no code with ferry, so that it shows a check that ferry lacks"
    elif name.startswith(("apps/", "examples/")) and first in FOLDERS and "/" in path:
        return f"includes the private header {path}; the program and the examples use public ones"
    return None


def check_file(root, file):
    name = file.relative_to(root).as_posix()
    text = without_comments(file.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        if problem := check_include(name, match[2]):
            yield f"{name}:{line_of(text, match.start(1))}: {problem}"
    if not name.startswith(ENGINE_PLACES):
        code = NOT_CODE.sub(blank, text)
        for match in ENGINE_FUNCTION.finditer(code):
            yield f"{name}:{line_of(code, match.start())}: names {match[0]}; call the engine through its table"


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(
        file
        for folder in ("include", "src", "fake", "apps", "examples", "bench", "tests")
        for file in (root / folder).rglob("*")
        if file.suffix in SUFFIXES
    )
    problems = [problem for file in files for problem in check_file(root, file)]
    print("\n".join(problems) or f"{len(files)} files keep the order")
    sys.exit(1 if problems or not files else 0)


if __name__ == "__main__":
    main()
