# SPDX-License-Identifier: MIT
"""Drives the program ferry. FERRY_PROGRAM is its path; FERRY_TEST_DRIVER_WGPU and _DAWN are the drivers of the engines."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

PROGRAM = os.environ["FERRY_PROGRAM"]
SOURCE = os.environ.get("FERRY_SOURCE_DIR") or os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
EXAMPLES = os.path.join(SOURCE, "examples")
ENGINES = ("wgpu", "dawn")
DRIVERS = {engine: os.environ.get("FERRY_TEST_DRIVER_" + engine.upper(), "") for engine in ENGINES}

HEAD = "@group(0) @binding(0) var<storage, read_write> data: "
MAIN = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { "
PLUS_ONE = HEAD + "array<%s>;\n" + MAIN + "if (id.x < arrayLength(&data)) { data[id.x] += %s(1); } }"


class Result:
    def __init__(self, process, engine):
        self.engine = engine
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr.decode(errors="replace")

    def json(self):
        return json.loads(self.out)


class FerryTest(unittest.TestCase):
    """Each test has a folder of its own, which is the current one of the programs that it runs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ferry-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def save(self, name, values, **options):
        np.save(self.path(name), values, **options)
        return name

    def load(self, name):
        return np.load(self.path(name))

    def environment(self, engine=None, **variables):
        environment = dict(os.environ)
        if engine in DRIVERS:
            environment["VK_DRIVER_FILES"] = DRIVERS[engine]
            environment["FERRY_ENGINE"] = engine
        environment.update(variables)
        return environment

    def run_program(self, arguments, stdin, environment):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, input=stdin, capture_output=True,
                              timeout=100, env=environment)

    def ferry(self, *arguments, engine=None, stdin=b"", **variables):
        environment = self.environment(engine, **variables)
        process = self.run_program(arguments, stdin, environment)
        if b"LeakSanitizer has encountered a fatal error" in process.stderr:
            # The leak checker crashes on a thread of the driver; what it looks for is checked in the other runs.
            print("no leak check here: LeakSanitizer crashed on the driver's threads", *arguments, file=sys.stderr)
            environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
            process = self.run_program(arguments, stdin, environment)
        return Result(process, engine)

    def run_shader(self, wgsl, *arguments, engine=None, **options):
        self.write("shader.wgsl", wgsl)
        return self.ferry("run", "shader.wgsl", *arguments, engine=engine, **options)

    def works(self, result):
        self.assertEqual(result.code, 0, f"{result.engine}: {result.err}")
        return result

    def refused(self, result, code, *words):
        """Ends with that code, says all the words, and leaves no file that is half written."""
        said = " ".join((result.err + result.out.decode(errors="replace")).split())
        self.assertEqual(result.code, code, f"{result.engine}: {said}")
        self.assertIn("ferry: error: ", result.err)
        for word in words:
            self.assertIn(word, said)
        self.assertEqual([name for name in os.listdir(self.folder) if ".ferry-" in name or name == "out.npy"], [])
        return result

    def on_both_engines(self):
        for engine in ENGINES:
            if os.path.exists(self.path("out.npy")):
                os.remove(self.path("out.npy"))
            yield engine
