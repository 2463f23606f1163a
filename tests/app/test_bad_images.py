# SPDX-License-Identifier: MIT
"""ferry run: images that are damaged, and images that do not fit the shader."""
import os
import resource
import struct
import unittest
import zlib

import numpy as np

from png_files import PALETTE, chunk, head, png
from test_images import COPY, COPY_16, IN_OUT, ImageTest, photograph, shader


class Damaged(ImageTest):
    def refused_image(self, content, *words, code=3):
        self.write("in.png", content)
        self.refused(self.run_shader(COPY, *IN_OUT), code, "in.png", *words)
        self.assertFalse(os.path.exists(self.path("out.png")))

    def test_cut_off_anywhere(self):
        content = png(photograph(6, 5), chunks=chunk(b"gAMA", struct.pack(">I", 45455)))
        for size in range(8, len(content), 7):
            self.refused_image(content[:size], "ends too early", f"after {size} bytes")
        self.refused_image(content[:-1], "ends too early")
        self.refused_image(content[:5], "neither a .png nor a .npy file")
        self.refused_image(b"", "neither a .png nor a .npy file")

    def test_a_changed_byte_anywhere(self):
        content = png(photograph(4, 3), chunks=chunk(b"gAMA", struct.pack(">I", 45455)))
        for at in range(0, len(content), 5):
            changed = content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1:]
            self.refused_image(changed)

    def test_wrong_checksums_name_the_chunk(self):
        content = png(photograph(4, 3))
        self.refused_image(content[:29] + bytes(4) + content[33:], "damaged", "IHDR", "CRC")
        self.refused_image(content[:-16] + bytes(4) + content[-12:], "damaged", "IDAT", "CRC")
        self.refused_image(content[:-4] + bytes(4), "damaged", "IEND", "CRC")

    def test_sizes_that_no_file_has(self):
        pixels = chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
        self.refused_image(head(0, 5) + pixels, "damaged", "width is zero")
        self.refused_image(head(5, 0) + pixels, "damaged", "height is zero")
        self.refused_image(head(65535, 65535) + pixels, "65,535 x 65,535", "cannot hold")
        self.refused_image(head(1 << 31, 5) + pixels, "damaged")
        self.refused_image(head(20000, 1) + chunk(b"IDAT", zlib.compress(bytes(80001))) + chunk(b"IEND", b""), "20,000 x 1",
                           "16,384 x 16,384", code=5)
        bomb = head(16384, 16384, 16) + pixels  # through a pipe, whose size nobody knows
        self.refused(self.run_shader(COPY_16, "--load", "in=-", "--save", "out=out.png", stdin=bomb), 3, "standard input")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1 << 20, "KiB of memory, of 2 GiB")

    def test_pixels_that_are_not_there(self):
        for data in (zlib.compress(bytes(4)), zlib.compress(bytes(100))[:-6], b"nothing of zlib", b""):
            self.refused_image(head(3, 3) + chunk(b"IDAT", data) + chunk(b"IEND", b""), "damaged")
        self.refused_image(head(3, 3) + chunk(b"IEND", b""), "damaged")
        self.refused_image(head(3, 3, 8, PALETTE) + chunk(b"IDAT", zlib.compress(bytes(12))) + chunk(b"IEND", b""), "damaged")
        self.refused_image(head(3, 3, 3) + chunk(b"IDAT", b"") + chunk(b"IEND", b""), "damaged", "bit depth")
        self.refused_image(b"\xff\xd8\xff\xe0 a photograph", "neither a .png nor a .npy file")

    def test_bytes_after_the_image_are_said(self):
        values = photograph(6, 5)
        self.write("in.png", png(values) + b"a zip archive")
        result = self.works(self.run_shader(COPY, *IN_OUT, engine="wgpu"))
        self.assertIn("goes on after its image, for 13 bytes", result.err)
        self.assertTrue(np.array_equal(self.image("out.png"), values))


class Misfits(ImageTest):
    def setUp(self):
        super().setUp()
        self.write("in.png", png(photograph(6, 5)))
        self.write("small.png", png(photograph(3, 2)))

    def refused_run(self, wgsl, arguments, *words, code=2):
        self.refused(self.run_shader(wgsl, *arguments), code, *words)
        self.assertFalse(os.path.exists(self.path("out.png")))

    def test_results_that_png_does_not_hold(self):
        floats = shader("texture_2d<f32>", "texture_storage_2d<rgba32float, write>")
        self.refused_run(floats, IN_OUT, "rgba32float", "8 or 16 bits", "--save out=out.npy")
        layers = shader("texture_2d<f32>", "texture_storage_2d_array<rgba8unorm, write>",
                        "textureStore(out, id.xy, id.z, textureLoad(in, id.xy, 0));")
        self.refused_run(layers, ("--load", "in=in.png", "--zero", "out=6x5x2", "--save", "out=out.png"), "2 layers", "npy")
        self.refused_run(COPY, ("--load", "in=in.png", "--save", "out=out.jpg"), ".png, .npy or .raw", "out=out.png")
        self.refused_run(COPY, (*IN_OUT, "--save", "in=same.png"), "only read")

    def test_sizes(self):
        alone = ("@group(0) @binding(0) var out: texture_storage_2d<rgba8unorm, write>;\n@compute @workgroup_size(1) fn main() "
                 "{ textureStore(out, vec2u(0), vec4f(1.0)); }")
        self.refused_run(alone, ("--save", "out=out.png"), "nothing is loaded", "--zero out=640x480")
        for size in ("640", "640x", "x480", "6x5x4x3", "f32[4]", "-1x5"):
            self.refused_run(alone, ("--zero", "out=" + size, "--save", "out=out.png"), "640x480")
        self.refused_run(alone, ("--zero", "out=0x5", "--save", "out=out.png"))
        self.refused_run(alone, ("--zero", "out=6x5x2", "--save", "out=out.png"), "one layer", "texture_storage_2d_array")
        two = shader("texture_2d<f32>", "texture_storage_2d<rgba8unorm, write>",
                     "textureStore(out, id.xy, textureLoad(in, id.xy, 0) + textureLoad(other, id.xy, 0));")
        two = "@group(0) @binding(2) var other: texture_2d<f32>;\n" + two
        self.refused_run(two, (*IN_OUT, "--load", "other=small.png"), "6x5", "3x2", "--zero out=6x5")
        self.refused_run(two, IN_OUT, "other", "--load other=FILE.png")
        self.works(self.run_shader(two, *IN_OUT, "--load", "other=small.png", "--zero", "out=3x2", engine="dawn"))
        self.assertEqual(self.image("out.png").shape, (2, 3, 4))

    def test_values(self):
        def give(values, wgsl, *words):
            self.save("in.npy", values)
            self.refused_run(wgsl, ("--load", "in=in.npy", "--save", "out=out.png"), *words)
        give(np.zeros((5, 6), "u4"), COPY, "u4", "u1, i1, u2, f2 or f4", "astype('f4')")
        give(np.zeros((5, 6), "f4"), COPY_16, "f4", "u1, u2 or u4", "Declare texture_2d<f32>", "astype('u4')")
        give(np.zeros((5, 6), "i2"), COPY, "i2", "Declare texture_2d<i32>", "astype('f4')")
        layers = shader("texture_2d_array<i32>", "texture_storage_2d<rgba8sint, write>",
                        "textureStore(out, id.xy, textureLoad(in, id.xy, 0, 0));")
        give(np.zeros((2, 5, 6), "u2"), layers, "Declare texture_2d_array<u32>", "astype('i4')")
        for dtype in ("?", "i8", "u8", "f8"):
            give(np.zeros((5, 6), dtype), COPY, "astype('f4')")
            give(np.zeros((5, 6), dtype), COPY_16, "astype('u4')")
        give(np.zeros((3, 5, 6), "u1"), COPY, "(3, 5, 6)", "arr.transpose(1, 2, 0)")
        give(np.zeros((5, 6, 5), "u1"), COPY, "(5, 6, 5)", "1 to 4 channels")
        give(np.zeros((2, 5, 6, 4), "u1"), COPY, "(2, 5, 6, 4)", "(height, width)")
        give(np.zeros(5, "u1"), COPY, "(5,)")
        give(np.zeros((0, 6), "u1"), COPY, "(0, 6)")
        signed = shader("texture_2d<i32>", "texture_storage_2d<rgba8sint, write>")
        self.refused_run(signed, ("--load", "in=in.png", "--save", "out=out.npy"), "i1, i2 or i4")
        self.refused_run(COPY, ("--zero", "in=6x5", "--save", "out=out.png"), "only read", "--load in=FILE.png")
        self.refused_run(COPY, (*IN_OUT, "--set", "in=3"), "--load in")

    def test_storage_formats(self):
        # SwiftShader and llvmpipe have none of the features that these take.
        for format, access, *words in (
                ("r8unorm", "write", "Write rgba8unorm."), ("rgba16unorm", "write", "rgba16uint, vec4u(round(65535 * x))"),
                ("rg16snorm", "write", "rgba16sint, vec4i(round(32767 * x))"), ("rg8uint", "write", "Write rgba8uint."),
                ("rgba8unorm", "read_write", "r32float, r32uint or r32sint", "read one texture and write another")):
            zeros = {"uint": "vec4u()"}.get(format[-4:], "vec4f()")
            wgsl = shader("texture_2d<f32>", f"texture_storage_2d<{format}, {access}>", f"textureStore(out, id.xy, {zeros});")
            for engine in self.on_both_engines():
                result = self.run_shader(wgsl, "--load", "in=in.png", "--zero", "out=6x5", engine=engine)
                self.refused(result, 4, "\"out\"", f"({format})", *words)
        for format, word in (("rgb8unorm", "use rgba8unorm"), ("rgba8unrom", "Did you mean rgba8unorm?")):
            wgsl = COPY.replace("rgba8unorm", format)
            self.refused_run(wgsl, IN_OUT, f"({format})", "none of WebGPU's", word)

    def test_an_image_for_a_buffer_names_the_texture(self):
        wgsl = ("@group(0) @binding(0) var<storage, read_write> in: array<u32>;\n@compute @workgroup_size(1) fn main() "
                "{ in[0] = 1u; }")
        self.refused_run(wgsl, ("--load", "in=in.png"), "texture_2d")
        self.refused_run(wgsl, ("--zero", "in=u32[4]", "--save", "in=out.png"), "is a buffer", "--save in=out.npy")


if __name__ == "__main__":
    unittest.main()
