# SPDX-License-Identifier: MIT
"""ferry plan: how textures lie in memory, and what cannot be copied. Numbers are those of the layout's own tests."""
import unittest

from ferry_program import FerryTest

# format, arguments, row, padded pitch, rows of blocks, required bytes, tight bytes
KNOWN = (
    ("rgba8unorm", ["4x4"], 16, 256, 4, 784, 64),
    ("rgba8unorm", ["100x100"], 400, 512, 100, 51088, 40000),
    ("bgra8unorm", ["128x128"], 512, 512, 128, 65536, 65536),
    ("rgba16float", ["85x5"], 680, 768, 5, 3752, 3400),
    ("r32float", ["10x10"], 40, 256, 10, 2344, 400),
    ("rgba8unorm", ["32x64x4"], 128, 256, 64, 65408, 32768),
    ("r32float", ["3x3x3", "--dimension", "3d"], 12, 256, 3, 2060, 108),
    ("bc1-rgba-unorm", ["252x252"], 504, 512, 63, 32248, 31752),
    ("bc1-rgba-unorm", ["12x12x3"], 24, 256, 3, 2072, 216),
    ("bc1-rgba-unorm", ["60x60", "--mip", "2"], 32, 256, 4, 800, 128),
    ("depth32float", ["17x9"], 68, 256, 9, 2116, 612),
    ("stencil8", ["17x9"], 17, 256, 9, 2065, 153),
)


class PlanTest(FerryTest):
    def plan(self, *arguments):
        # No engine is there to be found.
        return self.ferry("plan", *arguments, FERRY_ENGINE="/nothing.so", VK_DRIVER_FILES="")


class Plan(PlanTest):
    def said(self, *arguments):
        return " ".join(self.works(self.plan(*arguments)).out.decode().split())

    def test_known_numbers(self):
        for name, arguments, row, pitch, rows, required, tight in KNOWN:
            with self.subTest(name=name, arguments=arguments):
                plan = self.works(self.plan(name, *arguments, "--json")).json()
                self.assertEqual((plan["format"], plan["row_bytes"], plan["block_rows"]), (name, row, rows))
                self.assertEqual(plan["padded"]["bytes_per_row"], pitch)
                self.assertEqual(plan["padded"]["required_bytes"], required)
                self.assertEqual(plan["padded"]["staging_bytes"], -(-required // 4) * 4)
                self.assertEqual((plan["tight"]["bytes_per_row"], plan["tight"]["required_bytes"]), (row, tight))

    def test_the_table(self):
        self.assertEqual(self.works(self.plan("stencil8", "17x9")).out.decode(), """\
stencil8 17x9x1, 2d, level 0 of 5, aspect all
  level   17x9x1 texels
  region  17x9x1 at (0, 0, 0)
  block   1x1 texels, 1 bytes
  row     17 blocks, 17 bytes
  image   9 rows of blocks

                      padded  tight
  bytes per row       256     17
  rows per image      9       9
  required bytes      2,065   153
  staging bytes       2,068   -
  offset multiple of  4       1
""")

    def test_small_levels_are_whole_blocks(self):
        said = self.said("bc1-rgba-unorm", "1920x1080", "--mip", "9")
        for words in ("level 9 of 11", "4x4x1 texels in whole blocks; shaders see 3x2x1", "texture-compression-bc"):
            self.assertIn(words, said)

    def test_the_formats(self):
        self.assertEqual(len(self.works(self.plan("--list", "--json")).json()["formats"]), 101)
        for words in ("astc-10x8-unorm 10x8 16 texture-compression-astc", "depth24plus-stencil8 1 - + 1", "rgba32float 1 16"):
            self.assertIn(words, self.said("--list"))

    def test_short_names_of_aspects(self):
        for name in ("depth", "stencil"):
            plan = self.works(self.plan("depth32float-stencil8", "17x9", "--aspect", name, "--json")).json()
            self.assertEqual(plan["aspect"], name + "-only")

    def test_a_region(self):
        said = self.said("bc1-rgba-unorm", "64x64", "--origin", "4,8", "--size", "8x12")
        for words in ("8x12x1 at (4, 8, 0)", "row 2 blocks, 16 bytes", "image 3 rows of blocks", "required bytes 528 48"):
            self.assertIn(words, said)

    def test_what_can_only_be_read(self):
        self.assertIn("texture to buffer only", self.said("depth32float-stencil8", "17x9", "--aspect", "depth-only"))
        self.assertIs(self.works(self.plan("depth32float", "4x4", "--json")).json()["from_memory"], False)


class Refused(PlanTest):
    def no(self, *arguments, words):
        result = self.refused(self.plan(*arguments), 2, *words)
        self.assertEqual(result.out, b"")

    def test_no_whole_blocks(self):
        self.no("bc1-rgba-unorm", "250x250", words=("(250x250)", "252x252", "31,752 bytes"))

    def test_illegal_regions_name_the_nearest_legal_one(self):
        for arguments, option in (
            ("rgba8unorm 100x100 --origin 90,0 --size 20x20", "--mip 0 --origin 90,0,0 --size 10x20x1"),
            ("rgba8unorm 4x4 --mip 3", "--mip 2 --origin 0,0,0 --size 1x1x1"),
            ("bc1-rgba-unorm 12x12 --origin 5,7 --size 4x4", "--mip 0 --origin 4,4,0 --size 4x4x1"),
            ("bc1-rgba-unorm 12x12 --size 5x6", "--mip 0 --origin 0,0,0 --size 8x8x1"),
            ("depth32float 17x9 --size 4x4", "--mip 0 --origin 0,0,0 --size 17x9x1"),
            ("r8unorm 3x3 --origin 18446744073709551615,0 --size 1x3", "--mip 0 --origin 2,0,0 --size 1x3x1"),
        ):
            with self.subTest(arguments=arguments):
                arguments = arguments.split()
                self.no(*arguments, words=(option,))
                self.works(self.plan(*arguments[:2], *option.split()))

    def test_aspects(self):
        self.no("depth32float-stencil8", "17x9", words=("--aspect depth-only or --aspect stencil-only",))
        self.no("depth24plus-stencil8", "17x9", words=("--aspect stencil-only",))
        self.no("depth24plus", "17x9", words=("no layout in memory", "depth32float"))
        self.no("rgba8unorm", "4x4", "--aspect", "depth-only", words=("rgba8unorm", "Leave --aspect out"))

    def test_words_that_are_unknown(self):
        self.no("rgba8unrom", "4x4", words=("Did you mean rgba8unorm?",))
        self.no("bc1-unorm", "4x4", words=("Did you mean bc1-rgba-unorm or bc1-rgba-unorm-srgb?",))
        self.no("BC1RGBAUnorm", "4x4", words=("Did you mean bc1-rgba-unorm?",))
        self.no("rgba8", "4x4", words=("rgba8unorm or rgba8unorm-srgb or rgba8snorm or rgba8uint or rgba8sint",))
        self.no("what", "4x4", words=("such as rgba8unorm",))
        for word, meant in (("rgb8unorm", "rgba8unorm"), ("rgb32float", "rgba32float"), ("R8G8B8_UNORM", "rgba8unorm"),
                            ("rgb8", "rgba8unorm")):
            self.no(word, "4x4", words=("no formats of three channels", f"use {meant}."))
        for word, meant in (("rgba8srgb", "rgba8unorm-srgb"), ("R8G8B8A8_UNORM", "rgba8unorm"), ("dxt1", "bc1-rgba-unorm")):
            self.no(word, "4x4", words=(f"Did you mean {meant}?",))
        self.no("astc", "4x4", words=("astc-4x4-unorm", "bc1-rgba-unorm", "ferry plan --list"))
        self.no("rgba8unorm", "4x4", "--aspect", "red", words=("all, depth-only, stencil-only",))
        self.no("rgba8unorm", "4x4", "--dimension", "4d", words=("\"4d\"", "1d, 2d, 3d"))
        self.no("rgba8unorm", "4x4", "--mpi", "1", words=("Did you mean --mip?",))

    def test_numbers_that_are_none(self):
        for size in ("4x", "x4", "4x4x4x4", "4,4", "-4x4", "4.5x4", "99999999999999999999x1", "four"):
            with self.subTest(size=size):
                self.refused(self.plan("rgba8unorm", size), 2)
        self.no("rgba8unorm", "0x4", words=("(0x4x1)", "1 to 4294967295", "from 1x1 on"))
        self.no("rgba8unorm", "4294967296x1", words=("4294967295",))
        self.no("rgba8unorm", "4x4", "--origin", "1x1", words=("--origin", "X,Y"))
        self.no("rgba8unorm", "4x4", "--mip", "one", words=("--mip",))
        self.no("rgba8unorm", "4x4", "--size", "1,1", words=("--size",))

    def test_impossible_dimensions(self):
        self.no("stencil8", "4x4x4", "--dimension", "3d", words=("stencil8", "--dimension 2d"))
        self.no("rgba8unorm", "4x4", "--dimension", "1d", words=("(1D)", "(4x4x1)"))

    def test_nothing_given(self):
        self.no(words=("ferry plan rgba8unorm 640x480",))
        self.no("rgba8unorm", words=("ferry plan rgba8unorm 640x480",))

    def test_errors_as_json(self):
        result = self.plan("bc1-rgba-unorm", "250x250", "--json")
        self.assertEqual((result.code, result.err), (2, ""))
        error = result.json()["error"]
        self.assertEqual((error["code"], error["exit_code"], error["rule"]), ("invalid_argument", 2, "3.2"))
        self.assertIn("252x252", error["fix"])
        self.assertIn("31,752", error["fix"])


if __name__ == "__main__":
    unittest.main()
