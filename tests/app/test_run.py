# SPDX-License-Identifier: MIT
"""ferry run: arrays through shaders and back, on both engines."""
import os
import unittest

import numpy as np

from ferry_program import EXAMPLES, HEAD, MAIN, PLUS_ONE, FerryTest

DOUBLE = os.path.join(EXAMPLES, "double.wgsl")
IN_OUT = ("--load", "data=in.npy", "--save", "data=out.npy")


class Examples(FerryTest):
    def test_doubling_is_exact_for_any_length(self):
        for engine in self.on_both_engines():
            for count in (1, 7, 1_000_003, 1 << 24):
                values = (np.arange(count) % 1_000_003 * 0.5).astype("f4")
                self.save("in.npy", values)
                self.works(self.ferry("run", DOUBLE, *IN_OUT, "--groups", 4096, engine=engine))
                self.assertTrue(np.array_equal(self.load("out.npy"), 2 * values), count)

    def test_threads_come_from_the_first_array(self):
        for engine in self.on_both_engines():
            self.save("in.npy", np.arange(1000, dtype="f4"))
            result = self.works(self.ferry("run", DOUBLE, *IN_OUT, "--json", engine=engine))
            self.assertEqual(result.json()["groups"], [16, 1, 1])
            self.assertEqual(result.json()["engine"]["name"], {"wgpu": "wgpu-native", "dawn": "Dawn"}[engine])

    def test_saxpy_with_a_uniform_and_an_override(self):
        x, y = np.arange(5000, dtype="f4"), np.ones(5000, "f4")
        self.save("x.npy", x)
        self.save("y.npy", y)
        for engine in self.on_both_engines():
            self.works(self.ferry("run", os.path.join(EXAMPLES, "saxpy.wgsl"), "--load", "x=x.npy", "--load", "y=y.npy",
                                  "--set", "params.scale=2.5", "--set", "most=100", "--save", "y=out.npy", engine=engine))
            self.assertTrue(np.array_equal(self.load("out.npy"), np.minimum(x * 2.5 + y, 100)))

    def test_histogram_counts_into_zeros(self):
        values = np.random.default_rng(1).random(100_000, "f4")
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            self.works(self.ferry("run", os.path.join(EXAMPLES, "histogram.wgsl"), "--load", "values=in.npy", "--zero",
                                  "bins=u32[4,4]", "--save", "bins=out.npy", "--groups", 16, engine=engine))
            bins = self.load("out.npy")
            self.assertEqual((bins.shape, bins.dtype), ((4, 4), np.dtype("u4")))
            self.assertTrue(np.array_equal(bins.ravel(), np.bincount((values * 16).astype(int), minlength=16)))

    def test_vectors_of_three_are_padded_and_unpadded(self):
        vectors = np.random.default_rng(2).random((1001, 3), "f4") + 0.1
        self.save("in.npy", vectors)
        for engine in self.on_both_engines():
            self.works(self.ferry("run", os.path.join(EXAMPLES, "normalize.wgsl"), "--load", "vectors=in.npy", "--save",
                                  "vectors=out.npy", engine=engine))
            wanted = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            np.testing.assert_allclose(self.load("out.npy"), wanted, rtol=1e-5)


class Types(FerryTest):
    def test_each_scalar_and_vector(self):
        for engine in self.on_both_engines():
            for dtype, scalar in (("f4", "f32"), ("i4", "i32"), ("u4", "u32")):
                for rows in (1, 2, 3, 4):
                    values = np.arange(36 * rows).astype(dtype).reshape((36, rows) if rows > 1 else (6, 6))
                    self.save("in.npy", values)
                    kind = f"vec{rows}<{scalar}>" if rows > 1 else scalar
                    self.works(self.run_shader(PLUS_ONE % (kind, kind), *IN_OUT, engine=engine))
                    out = self.load("out.npy")
                    self.assertEqual((out.dtype, out.shape), (values.dtype, values.shape))
                    self.assertTrue(np.array_equal(out, values + 1), kind)

    def test_matrices_are_stored_by_columns(self):
        values = np.arange(5 * 2 * 3, dtype="f4").reshape(5, 2, 3)  # array<mat2x3f>: 2 columns of 3
        self.save("in.npy", values)
        wgsl = HEAD + "array<mat2x3f>;\n" + MAIN + "if (id.x < 5) { data[id.x][1].z = 100.0; } }"
        values[:, 1, 2] = 100
        for engine in self.on_both_engines():
            self.works(self.run_shader(wgsl, *IN_OUT, engine=engine))
            self.assertTrue(np.array_equal(self.load("out.npy"), values))

    def test_a_struct_is_filled_by_members(self):
        wgsl = ("struct P { scale: f32, offset: vec3f, counts: vec2i, mask: u32 }\n"
                "@group(0) @binding(0) var<uniform> p: P;\n"
                "@group(0) @binding(1) var<storage, read_write> out: array<f32>;\n"
                "@compute @workgroup_size(1) fn main() {\n"
                "out[0] = p.scale; out[1] = p.offset.x; out[2] = p.offset.y; out[3] = p.offset.z;\n"
                "out[4] = f32(p.counts.x); out[5] = f32(p.counts.y); out[6] = f32(p.mask); }")
        for engine in self.on_both_engines():
            result = self.works(self.run_shader(
                wgsl, "--zero", "out=f32[7]", "--set", "p.scale=0.5", "--set", "p.offset=1, 2,3", "--set", "0.0.counts=-4,5",
                "--save", "out=out.npy", engine=engine))
            self.assertEqual(self.load("out.npy").tolist(), [0.5, 1, 2, 3, -4, 5, 0])
            self.assertIn("p.mask is not set", result.err)

    def test_scalars_vectors_and_entries(self):
        wgsl = ("@group(0) @binding(3) var<uniform> n: u32;\n"
                "@group(1) @binding(0) var<storage, read_write> total: atomic<u32>;\n"
                "override step: u32 = 1;\n"
                "@compute @workgroup_size(4, 4) fn add() { atomicAdd(&total, n * step); }\n"
                "@compute @workgroup_size(1) fn nothing() { atomicAdd(&total, n); }")
        for engine in self.on_both_engines():
            self.works(self.run_shader(wgsl, "--entry", "add", "--set", "n=0x10", "--set", "step=2", "--set", "total=1000",
                                       "--threads", "8,8", "--save", "1.0=out.npy", engine=engine))
            self.assertEqual(self.load("out.npy").shape, ())
            self.assertEqual(int(self.load("out.npy")), 1000 + 64 * 32)

    def test_zeros_of_the_shaders_own_type_by_size(self):
        for engine in self.on_both_engines():
            self.works(self.run_shader(PLUS_ONE % ("vec4f", "vec4f"), "--zero", "data=1KiB", "--save", "data=out.npy",
                                       engine=engine))
            self.assertTrue(np.array_equal(self.load("out.npy"), np.ones((64, 4), "f4")))

    def test_half_floats_where_the_adapter_has_them(self):
        for engine in self.on_both_engines():
            self.save("in.npy", np.arange(64, dtype="f2"))
            result = self.run_shader("enable f16;\n" + PLUS_ONE % ("f16", "f16"), *IN_OUT, engine=engine)
            if result.code == 0:
                self.assertTrue(np.array_equal(self.load("out.npy"), np.arange(1, 65, dtype="f2")))
            else:
                self.refused(result, 4, "shader-f16")


class Drivers(FerryTest):
    def test_loops_that_llvmpipe_cuts_short_are_named(self):
        self.save("in.npy", np.ones(1 << 23, "f4"))
        result = self.works(self.ferry("run", DOUBLE, *IN_OUT, "--groups", 1, engine="wgpu"))
        right = bool((self.load("out.npy") == 2).all())
        self.assertTrue(right or "more --groups" in result.err)


class Streams(FerryTest):
    def test_standard_input_and_output(self):
        self.save("in.npy", np.arange(100_000, dtype="i4"))
        with open(self.path("in.npy"), "rb") as file:
            content = file.read()
        for engine in self.on_both_engines():
            result = self.works(self.run_shader(PLUS_ONE % ("i32", "i32"), "--load", "data=-", "--save", "data=-",
                                                engine=engine, stdin=content))
            self.write("out.npy", result.out)
            self.assertTrue(np.array_equal(self.load("out.npy"), np.arange(1, 100_001)))

    def test_quiet_says_nothing(self):
        self.save("in.npy", np.arange(10, dtype="i4"))
        for engine in self.on_both_engines():
            result = self.works(self.run_shader(PLUS_ONE % ("i32", "i32"), *IN_OUT, "--quiet", engine=engine))
            self.assertEqual((result.out, result.err), (b"", ""))

    def test_an_old_result_is_replaced_and_a_link_stays(self):
        self.save("in.npy", np.arange(10, dtype="i4"))
        self.write("old.npy", "something else")
        os.symlink("old.npy", self.path("out.npy"))
        self.works(self.run_shader(PLUS_ONE % ("i32", "i32"), *IN_OUT, engine="dawn"))
        self.assertTrue(os.path.islink(self.path("out.npy")))
        self.assertTrue(np.array_equal(self.load("old.npy"), np.arange(1, 11)))


if __name__ == "__main__":
    unittest.main()
