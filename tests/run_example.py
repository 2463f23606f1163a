#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example and compares what it prints with a file: run_example.py PROGRAM EXPECTED"""
import difflib
import os
import subprocess
import sys

program, expected_path = sys.argv[1:]
run = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
output = run.stdout.decode("utf-8", "replace")
if run.returncode != 0:
    sys.exit(f"{program} exited with {run.returncode}; it printed:\n{output}")
if not os.path.exists(expected_path):
    sys.exit(f"{expected_path} is missing. When this is what the example should print, put it there:\n{output}")

with open(expected_path, encoding="utf-8", newline="") as file:
    expected = file.read()
if output != expected:
    sys.stdout.writelines(
        difflib.unified_diff(
            expected.splitlines(keepends=True), output.splitlines(keepends=True), expected_path, "printed"
        )
    )
    sys.exit(1)
