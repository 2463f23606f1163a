# SPDX-License-Identifier: MIT
"""ferry run: wrong command lines, files and shaders, and ends that come early. Each says what, where and how to fix it."""
import os
import signal
import subprocess
import time
import unittest

import numpy as np

from ferry_program import EXAMPLES, HEAD, MAIN, PLUS_ONE, PROGRAM, FerryTest

IN_OUT = ("--load", "data=in.npy", "--save", "data=out.npy")
DOUBLE = os.path.join(EXAMPLES, "double.wgsl")
TWO = ("@group(0) @binding(0) var<storage, read> first: array<f32>;\n"
       "@group(0) @binding(1) var<storage, read_write> second: array<f32>;\n"
       "@compute @workgroup_size(1) fn main() { second[0] = first[0]; }")
# Many workgroups of short loops: llvmpipe ends a loop after 65,535 rounds.
MINUTES = HEAD + "array<f32>;\n" + MAIN + ("var x = data[id.x % 64]; for (var i = 0u; i < 60000u; i++) "
                                           "{ x = sin(x) + f32(i % 7u); } data[id.x % 64] = x; }")


class BadInputTest(FerryTest):
    def setUp(self):
        super().setUp()
        self.save("in.npy", np.arange(1000, dtype="f4"))


class Shaders(BadInputTest):
    def test_no_entry_point(self):
        self.refused(self.run_shader(HEAD + "array<f32>;", *IN_OUT), 2, "no compute entry point", "@compute")

    def test_two_entry_points(self):
        two = HEAD + "array<f32>;\n" + "".join(f"@compute @workgroup_size(1) fn {n}() {{ data[0] = 1.0; }}\n" for n in "ab")
        self.refused(self.run_shader(two, *IN_OUT), 2, "2 compute entry points: a, b", "--entry a")
        self.refused(self.run_shader(two, *IN_OUT, "--entry", "c"), 2, "\"c\"", "a, b")
        self.works(self.run_shader(two, *IN_OUT, "--entry", "b", engine="dawn"))

    def test_wgsl_errors_show_the_line(self):
        wgsl = HEAD + "array<f32>;\n" + MAIN + "\n    data[id.x] = nonsense(data[id.x]);\n}"
        for engine in self.on_both_engines():
            self.refused(self.run_shader(wgsl, *IN_OUT, engine=engine), 2, "line 3, column 18", "nonsense",
                         "3 | data[id.x] = nonsense(data[id.x]);", "shader.wgsl")

    def test_too_many_workgroups(self):
        self.save("in.npy", np.zeros(1 << 23, "f4"))
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *IN_OUT, engine=engine), 5, "131072", "65535", "--groups 4096", "for (var i")

    def test_workgroups_in_two_dimensions_need_a_number(self):
        wgsl = PLUS_ONE.replace("size(64)", "size(8, 8)") % ("f32", "f32")
        self.refused(self.run_shader(wgsl, *IN_OUT), 2, "8x8x1", "--threads WIDTH,HEIGHT")

    def test_what_is_neither_a_buffer_nor_a_flat_texture_is_refused(self):
        for kind, use, word in (("texture_3d<f32>", "textureLoad(other, vec3u(0), 0).x", "texture_2d"),
                                ("texture_depth_2d", "textureLoad(other, vec2u(0), 0)", "texture_2d"),
                                ("sampler", "textureSampleLevel(image, other, vec2f(0), 0).x", "textureLoad")):
            wgsl = (HEAD + "array<f32>;\n@group(0) @binding(1) var other: " + kind + ";\n@group(0) @binding(2) var image: "
                    "texture_2d<f32>;\n@compute @workgroup_size(1) fn main() { data[0] = " + use + "; }")
            self.refused(self.run_shader(wgsl, *IN_OUT), 4, "other", kind, word)

    def test_an_override_without_a_value(self):
        wgsl = "override n: u32;\n" + PLUS_ONE.replace("size(64)", "size(n)") % ("f32", "f32")
        self.refused(self.run_shader(wgsl, *IN_OUT), 2, "override n", "--set n=VALUE")


class Bindings(BadInputTest):
    def test_never_loaded(self):
        self.refused(self.run_shader(TWO, "--load", "first=in.npy", "--save", "second=out.npy"), 2, "\"second\"",
                     "@group(0) @binding(1)", "--load second=FILE.npy", "--zero second='f32[1000]'")

    def test_loaded_twice(self):
        self.refused(self.run_shader(TWO, "--load", "first=in.npy", "--load", "0.0=in.npy"), 2, "twice", "\"first\"")

    def test_unknown_names(self):
        self.refused(self.run_shader(TWO, "--load", "frist=in.npy"), 2, "first, second", "Did you mean \"first\"")
        self.refused(self.run_shader(TWO, "--load", "2.0=in.npy"), 2, "\"2.0\"")
        both = ("--load", "first=in.npy", "--load", "second=in.npy")
        self.refused(self.run_shader(TWO, *both, "--save", "thrid=out.npy"), 2, "thrid")
        self.refused(self.run_shader(TWO, *both, "--set", "scale=1"), 2, "scale")

    def test_two_things_in_one_place(self):
        both = ("--load", "first=in.npy", "--load", "second=in.npy")
        self.refused(self.run_shader(TWO, *both, "--save", "first=out.npy", "--save", "second=out.npy"), 2, "out.npy")
        self.refused(self.run_shader(TWO, "--load", "first=-", "--load", "second=-"), 2, "Standard input")
        self.refused(self.run_shader(TWO, *both, "--save", "second=-", "--json"), 2, "--json")

    def test_values_that_do_not_fit(self):
        wgsl = ("struct P { n: u32, v: vec2f }\n@group(0) @binding(1) var<uniform> p: P;\n" + HEAD + "array<f32>;\n" +
                MAIN + "data[0] = f32(p.n) + p.v.x; }")
        for setting, word in (("p.n=-1", "4294967295"), ("p.n=1.5", "whole number"), ("p.v=1", "takes 2 value(s)"),
                              ("p.m=1", "no member"), ("p=1", "members"), ("data=1", "--load"), ("p.n", "NAME=VALUE")):
            self.refused(self.run_shader(wgsl, *IN_OUT, "--set", setting), 2, word)
        self.refused(self.run_shader(wgsl, *IN_OUT, "--set", "p.n=1", "--set", "p.n=2"), 2, "twice")
        for zero in ("f64[3]", "f32[", "vec5f[2]", "f32[x]", ""):
            self.refused(self.run_shader(wgsl, "--zero", "data=" + zero), 2)


class CommandLine(BadInputTest):
    def test_mistakes_name_the_way_out(self):
        self.refused(self.ferry(), 2, "devices, doctor, plan, run, record or bench")
        self.refused(self.ferry("rum"), 2, "Did you mean run?")
        self.refused(self.ferry("run"), 2, "No shader")
        self.refused(self.ferry("run", DOUBLE, "--laod", "a=b"), 2, "Did you mean --load?")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--groups", "0"), 2, "at least 1")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--groups", "1", "--threads", "1"), 2, "Both")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--threads", "many"), 2, "many")

    def test_an_adapter_that_is_not_there(self):
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--adapter", "99", engine=engine), 4, "99", "adapter 0")

    def test_an_engine_that_is_not_there(self):
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--engine", "./nothing.so"), 3, "nothing.so")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--engine", "/etc/passwd"), 3, "/etc/passwd")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--engine", "metal"), 2, "metal")

    def test_errors_as_json(self):
        result = self.ferry("run", DOUBLE, "--load", "data=nothing.npy", "--json")
        self.assertEqual((result.code, result.err), (3, ""))
        error = result.json()["error"]
        self.assertEqual((error["code"], error["exit_code"]), ("io", 3))
        self.assertIn("nothing.npy", error["what"] + error["where"])


class Files(BadInputTest):
    def test_inputs_that_cannot_be_read(self):
        self.refused(self.ferry("run", DOUBLE, "--load", "data=nothing.npy", "--save", "data=out.npy"), 3, "nothing.npy")
        self.refused(self.ferry("run", DOUBLE, "--load", "data=.", "--save", "data=out.npy"), 3, "is a folder")
        self.refused(self.ferry("run", "nothing.wgsl", *IN_OUT), 3, "nothing.wgsl")
        os.chmod(self.path("in.npy"), 0)
        if os.geteuid() != 0:  # root reads everything
            self.refused(self.ferry("run", DOUBLE, *IN_OUT), 3, "Permission denied", "chmod")

    def test_outputs_that_cannot_be_written(self):
        load = ("--load", "data=in.npy", "--save")
        self.refused(self.ferry("run", DOUBLE, *load, "data=no/folder/out.npy"), 3, "no/folder", "mkdir -p")
        self.refused(self.ferry("run", DOUBLE, *load, "data=."), 3, "is a folder")
        self.refused(self.ferry("run", DOUBLE, *load, "data=/proc/x.npy"), 3, "the folder /proc takes no new files")
        self.refused(self.ferry("run", DOUBLE, *load, "data=png:-"), 2, "is a buffer", "--save data=npy:-")
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *load, "data=/dev/full", engine=engine), 3, "No space left")

    def test_a_terminal_gets_no_bytes(self):
        outer, inner = os.openpty()
        process = subprocess.run([PROGRAM, "run", DOUBLE, "--load", "data=in.npy", "--save", "data=-"], cwd=self.folder,
                                 stdout=inner, stderr=subprocess.PIPE, env=self.environment("dawn"), timeout=60)
        os.close(inner)
        os.close(outer)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn(b"is a terminal", process.stderr)

    def test_one_bad_output_leaves_no_other(self):
        self.refused(self.ferry("run", DOUBLE, "--load", "data=in.npy", "--save", "data=out.npy", "--save",
                                "data=/dev/full", engine="dawn"), 3, "No space left")

    def test_a_closed_pipe(self):
        self.save("in.npy", np.zeros(1 << 20, "f4"))
        for engine in self.on_both_engines():
            process = subprocess.Popen([PROGRAM, "run", DOUBLE, "--load", "data=in.npy", "--save", "data=-", "--groups", "64"],
                                       cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=self.environment(engine))
            process.stdout.close()
            said = process.stderr.read().decode()
            process.stderr.close()
            self.assertEqual(process.wait(60), 3, said)
            self.assertIn("Broken pipe", said)


class Interrupts(BadInputTest):
    def interrupt(self, arguments, engine, number, after, **options):
        process = subprocess.Popen([PROGRAM, "run", *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                                   env=self.environment(engine), **options)
        time.sleep(after)
        process.send_signal(number)
        start = time.monotonic()
        said = process.communicate(timeout=60)[1].decode()
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual(process.returncode, 128 + number, said)
        self.assertIn("interrupted", said)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "shader.wgsl"])

    def test_a_kernel_that_takes_minutes(self):
        self.write("shader.wgsl", MINUTES)
        for engine in self.on_both_engines():
            self.interrupt(["shader.wgsl", *IN_OUT, "--groups", "60000,60000"], engine, signal.SIGINT, 1.5)

    def test_while_waiting_for_input(self):
        self.write("shader.wgsl", PLUS_ONE % ("f32", "f32"))
        self.interrupt(["shader.wgsl", "--load", "data=-", "--save", "data=out.npy"], "dawn", signal.SIGTERM, 0.5,
                       stdin=subprocess.PIPE)


if __name__ == "__main__":
    unittest.main()
