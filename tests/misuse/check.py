#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles a misuse test twice: check.py SOURCE COMPILER ARG...

As it stands the source must compile. With FERRY_MISUSE defined it must not, and the compiler's messages must match the
regular expression of its first line: // expect: REGEX
"""
import os
import re
import subprocess
import sys

source, command = sys.argv[1], sys.argv[2:]
environment = dict(os.environ, LC_ALL="C")  # the compiler's messages in English


def compile_source(*definitions):
    run = subprocess.run(
        [*command, *definitions, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    return run.returncode, run.stdout


with open(source, encoding="utf-8") as file:
    first_line = file.readline()
expect = re.match(r"// expect: (.+)$", first_line)
if not expect:
    sys.exit(f"{source}:1: the first line must be: // expect: REGEX")

status, messages = compile_source()
if status != 0:
    sys.exit(f"{source}: the correct program does not compile:\n{messages}")

status, messages = compile_source("-DFERRY_MISUSE")
if status == 0:
    sys.exit(f"{source}: the misuse compiles")
if not re.search(expect[1], messages):
    sys.exit(f"{source}: the misuse does not compile, but nothing matches /{expect[1]}/:\n{messages}")
