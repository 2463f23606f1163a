# SPDX-License-Identifier: MIT
"""ferry run: what it makes of .npy files of every kind, good and bad."""
import io
import os
import struct
import unittest

import numpy as np

from ferry_program import PLUS_ONE, FerryTest

IN_OUT = ("--load", "data=in.npy", "--save", "data=out.npy")


def header(text, version=1, length=None):
    body = text.encode()
    size = struct.pack("<H" if version == 1 else "<I", len(body) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + body


class Formats(FerryTest):
    def plus_one(self, values, kind="f32"):
        self.works(self.run_shader(PLUS_ONE % (kind, kind), *IN_OUT, engine="dawn"))
        out = self.load("out.npy")
        self.assertEqual(out.shape, values.shape)
        self.assertTrue(out.flags.c_contiguous)
        self.assertTrue(np.array_equal(out, values + 1))

    def test_fortran_order(self):
        for shape, kind in (((30, 20), "f32"), ((3, 4, 5), "f32"), ((7, 1), "f32"), ((50, 3), "vec3f"), ((5, 6, 2), "vec2f")):
            values = np.arange(np.prod(shape), dtype="f4").reshape(shape)
            self.save("in.npy", np.asfortranarray(values))
            self.plus_one(values, kind)

    def test_big_endian(self):
        values = np.arange(100_000, dtype="f4").reshape(-1, 4) + 0.5
        self.save("in.npy", values.astype(">f4"))
        self.plus_one(values)
        self.save("in.npy", np.asfortranarray(values[:, :3].astype(">f4")))
        self.plus_one(values[:, :3], "vec3f")

    def test_versions_2_and_3(self):
        values = np.arange(10, dtype="f4")
        for version in ((2, 0), (3, 0)):
            stream = io.BytesIO()
            np.lib.format.write_array(stream, values, version)
            self.write("in.npy", stream.getvalue())
            self.plus_one(values)

    def test_a_scalar_and_an_axis_of_one(self):
        for values in (np.array(5, "f4"), np.full((1, 1, 1), 5, "f4")):
            self.save("in.npy", values)
            self.plus_one(values)

    def test_headers_of_other_writers(self):
        text = '{"shape":(2L,3L,), \'fortran_order\':False,"descr":"<f4"}\n'
        self.write("in.npy", header(text) + np.arange(6, dtype="f4").tobytes())
        self.plus_one(np.arange(6, dtype="f4").reshape(2, 3))

    def test_what_follows_the_array_is_named_and_not_read(self):
        self.save("in.npy", np.arange(4, dtype="f4"))
        with open(self.path("in.npy"), "ab") as file:
            file.write(b"12345")
        result = self.works(self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT, engine="dawn"))
        self.assertIn("5 bytes after its array", result.err)


class BadArrays(FerryTest):
    def refuses(self, content, code, *words):
        self.write("in.npy", content)
        self.refused(self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT), code, *words)

    def test_files_that_are_no_arrays(self):
        self.refuses(b"", 2, "The file is empty")
        self.refuses(b"\x93NU", 2, "ends after 3 bytes")
        self.refuses(b"\x93NUMPY\x01\x00\x76", 2, "ends after 9 bytes")
        self.refuses(b"\x93NUMPY\x01\x00\x76\x00{'descr'", 2, "ends after 18 bytes", "of 128")
        self.refuses(b"\x89PNG\r\n\x1a\n" + bytes(100), 2, "not a .npy file")
        self.refuses(b"PK\x03\x04" + bytes(100), 2, ".npz")
        self.refuses(b"\x93NUMPY\x09\x00" + bytes(100), 2, "version 9")

    def test_headers_that_lie(self):
        good = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n"
        self.refuses(header(good, 2, 0xFFFFFFFF) + bytes(12), 2, "4,294,967,295 bytes")
        self.refuses(header(good, 1, 20) + bytes(12), 2, "header")
        self.refuses(header("nonsense\n"), 2, "header")
        self.refuses(header(good.replace("(3,)", "(-3,)")), 2, "shape")
        self.refuses(header(good.replace("(3,)", "(3,")), 2, "shape")
        self.refuses(header(good.replace("'shape': (3,), ", "")), 2, "shape")
        self.refuses(header(good.replace("(3,)", "(%d,)" % 2**64)), 2, "2^64")

    def test_shapes_that_no_memory_holds(self):
        text = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n"
        self.refuses(header(text % "(4294967296, 4294967296)"), 5, "(4294967296, 4294967296)")
        self.refuses(header(text % "(4611686018427387904,)"), 5, "64 bits")
        self.refuses(header(text % "(1000000000000,)") + bytes(100), 2, "4,000,000,000,000", "100")

    def test_shorter_than_its_shape(self):
        self.refuses(header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n") + bytes(11), 2, "12", "11")
        content = header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n") + bytes(11)
        result = self.run_shader(PLUS_ONE % ("f32", "f32"), "--load", "data=-", "--save", "data=out.npy", engine="dawn",
                                 stdin=content)
        self.refused(result, 2, "standard input ends too early", "12", "11")

    def test_empty_arrays(self):
        self.save("in.npy", np.zeros((4, 0), "f4"))
        self.refused(self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT), 2, "(4, 0)", "no empty buffers")

    def test_other_dtypes_name_the_conversion(self):
        for values, word in ((np.zeros(3), "astype('f4')"), (np.zeros(3, "i8"), "astype('f4')"),
                             (np.zeros(3, "u1"), "astype('f4')"), (np.zeros(3, bool), "astype('f4')"),
                             (np.zeros(3, "c8"), "view('f4')"), (np.array(["text"]), "no numbers"),
                             (np.zeros(3, [("a", "f4"), ("b", "i4")]), "arr['name']"),
                             (np.array([None, 1], object), "Python objects")):
            self.save("in.npy", values)
            self.refused(self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT), 2, word)

    def test_arrays_that_do_not_fit_the_shader(self):
        self.save("in.npy", np.zeros((4, 2), "i4"))
        self.refused(self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT), 2, "i4", "f4", "astype('f4')")
        self.refused(self.run_shader(PLUS_ONE % ("vec3i", "vec3i"), *IN_OUT), 2, "last axis", "3", "reshape(-1, 3)")
        fixed = PLUS_ONE.replace("arrayLength(&data)", "16") % ("i32, 16", "i32")
        self.refused(self.run_shader(fixed, *IN_OUT), 2, "8 elements", "16")

    def test_a_sparse_gigabyte_is_refused_by_the_limit(self):
        head = header("{'descr': '<f4', 'fortran_order': False, 'shape': (268435456,), }\n")
        self.write("in.npy", head)
        os.truncate(self.path("in.npy"), len(head) + (1 << 30))
        result = self.run_shader(PLUS_ONE % ("f32", "f32"), *IN_OUT, "--groups", 4, engine="wgpu")
        if result.code != 0:  # lavapipe of Mesa 22.3 binds 128 MiB
            self.refused(result, result.code, "1073741824")
            self.assertIn(result.code, (4, 5))

    def test_arrays_over_the_default_limits_work(self):
        values = np.arange(36 << 20, dtype="i4")  # 144 MiB, and 128 MiB is the default
        self.save("in.npy", values)
        del values
        self.works(self.run_shader(PLUS_ONE % ("i32", "i32"), *IN_OUT, "--groups", 4, engine="dawn"))
        self.assertEqual(self.load("out.npy")[[0, 255, 256]].tolist(), [1, 256, 256])


if __name__ == "__main__":
    unittest.main()
