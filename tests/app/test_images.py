# SPDX-License-Identifier: MIT
"""ferry run: images through shaders and back, on both engines."""
import io
import os
import struct
import unittest
import zlib

import numpy as np

from ferry_program import EXAMPLES, FerryTest
from png_files import CHANNELS, GREY, GREY_ALPHA, PALETTE, RGB, RGBA, chunk, png, read_png

IN_OUT = ("--load", "in=in.png", "--save", "out=out.png")
KINDS = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16), RGBA: (8, 16)}


def shader(sampled, storage, body="textureStore(out, id.xy, textureLoad(in, id.xy, 0));"):
    return (f"@group(0) @binding(0) var in: {sampled};\n@group(0) @binding(1) var out: {storage};\n"
            "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
            "if (all(id.xy < textureDimensions(out))) { " + body + " } }")


COPY = shader("texture_2d<f32>", "texture_storage_2d<rgba8unorm, write>")
COPY_16 = shader("texture_2d<u32>", "texture_storage_2d<rgba16uint, write>")


def photograph(width, height, seed=1):
    """Gradients with noise on them, and alpha that is not the same everywhere."""
    noise = np.random.default_rng(seed)
    across, down = np.meshgrid(np.linspace(0, 200, width), np.linspace(0, 200, height))
    channels = np.stack([across, down, (across + down) / 2, 255 - across], axis=-1)
    return (channels + noise.integers(0, 50, channels.shape)).astype("u1")


def as_rgba(values, kind, bits, palette=None):
    """What the pixels of such a file are, by the PNG standard."""
    most = 65535 if bits == 16 else 255
    if kind == PALETTE:
        values = palette[values[..., 0]]
    elif bits < 8:
        values = values * (255 // (2 ** bits - 1))
    if kind in (GREY, GREY_ALPHA):
        values = np.concatenate([values[..., :1]] * 3 + [values[..., 1:]], axis=-1)
    if values.shape[-1] == 3:
        values = np.concatenate([values, np.full_like(values[..., :1], most)], axis=-1)
    return values.astype("u2" if bits == 16 else "u1")


class ImageTest(FerryTest):
    def image(self, name):
        with open(self.path(name), "rb") as file:
            return read_png(file.read())[0]

    def filtered(self, name, *settings, engine):
        self.works(self.ferry("run", os.path.join(EXAMPLES, name), *IN_OUT, *settings, engine=engine))
        return self.image("out.png")


class Kinds(ImageTest):
    def test_every_kind_of_png(self):
        noise = np.random.default_rng(2)
        engines = ["wgpu", "dawn"]
        for kind, depths in KINDS.items():
            for bits in depths:
                for interlaced in (False, True):
                    palette = noise.integers(0, 256, (2 ** min(bits, 8), 3), "u1")
                    values = noise.integers(0, 2 ** bits, (11, 13, CHANNELS[kind]))
                    chunks = chunk(b"PLTE", palette.tobytes()) if kind == PALETTE else b""
                    self.write("in.png", png(values, kind, bits, interlaced, chunks))
                    engines.reverse()
                    result = self.works(self.run_shader(COPY_16 if bits == 16 else COPY, *IN_OUT, engine=engines[0]))
                    self.assertIn(f"13x11, {bits} bit ", result.err)
                    self.assertEqual("interlaced" in result.err, interlaced)
                    wanted = as_rgba(values, kind, bits, palette)
                    self.assertTrue(np.array_equal(self.image("out.png"), wanted), (kind, bits, interlaced))

    def test_transparent_colours(self):
        palette = np.arange(12, dtype="u1").reshape(4, 3) * 20
        indices = np.arange(4, dtype="u1").reshape(2, 2, 1)
        grey = np.array([[7, 8], [9, 7]], "u1").reshape(2, 2, 1)
        colour = np.array([[[1, 2, 3], [1, 2, 4]], [[0, 2, 3], [1, 2, 3]]], "u1")
        for content, alpha in (
                (png(indices, PALETTE, 2, chunks=chunk(b"PLTE", palette.tobytes()) + chunk(b"tRNS", b"\0\x80")),
                 [[0, 128], [255, 255]]),
                (png(grey, GREY, 8, chunks=chunk(b"tRNS", struct.pack(">H", 7))), [[0, 255], [255, 0]]),
                (png(colour, RGB, 8, chunks=chunk(b"tRNS", struct.pack(">HHH", 1, 2, 3))), [[0, 255], [255, 0]])):
            self.write("in.png", content)
            self.works(self.run_shader(COPY, *IN_OUT, engine="dawn"))
            self.assertEqual(self.image("out.png")[..., 3].tolist(), alpha)

    def test_colour_space_is_said_and_nothing_is_converted(self):
        values = photograph(5, 4)
        profile = chunk(b"iCCP", b"My profile\0\0" + zlib.compress(b"no profile at all" * 20))
        for chunks, said in ((b"", "nothing of gamma or colour space"), (chunk(b"sRGB", b"\0"), "its colours are sRGB"),
                             (chunk(b"gAMA", struct.pack(">I", 100000)), "its gamma is 1;"), (profile, "in.png")):
            self.write("in.png", png(values, chunks=chunks))
            result = self.works(self.run_shader(COPY, *IN_OUT, engine="wgpu"))
            self.assertIn(said, " ".join(result.err.split()))
            self.assertIn("passed as stored, without conversion", " ".join(result.err.split()))
            with open(self.path("out.png"), "rb") as file:
                out, chunks = read_png(file.read())
            self.assertTrue(np.array_equal(out, values))
            self.assertEqual(set(chunks), {b"IHDR", b"IDAT", b"IEND"})

    def test_integers_of_8_bits_and_floats_of_16(self):
        values = photograph(9, 5)
        self.write("in.png", png(values))
        wgsl = shader("texture_2d<u32>", "texture_storage_2d<rgba8uint, write>")
        wide = np.arange(9 * 5 * 4, dtype="u2").reshape(5, 9, 4) * 364
        for engine in self.on_both_engines():
            self.works(self.run_shader(wgsl, *IN_OUT, engine=engine))
            self.assertTrue(np.array_equal(self.image("out.png"), values))
            self.write("wide.png", png(wide, bits=16))
            floats = shader("texture_2d<f32>", "texture_storage_2d<rgba32float, write>")
            result = self.works(self.run_shader(floats, "--load", "in=wide.png", "--save", "out=out.npy", engine=engine))
            self.assertIn("value / 65535 in rgba32float", result.err)
            self.assertTrue(np.array_equal(self.load("out.npy"), wide.astype("f4") / np.float32(65535)))


class Photographs(ImageTest):
    def test_identity_keeps_every_byte(self):
        for width, height in ((1366, 768), (3838, 2160)):
            values = photograph(width, height)
            self.write("in.png", png(values))
            for engine in self.on_both_engines():
                self.assertTrue(np.array_equal(self.filtered("identity.wgsl", engine=engine), values), (engine, width))

    def test_sides_over_the_default_limit(self):
        for width, height in ((8200, 2), (1, 8193)):
            values = photograph(width, height)
            self.write("in.png", png(values))
            for engine in self.on_both_engines():
                result = self.ferry("run", os.path.join(EXAMPLES, "identity.wgsl"), *IN_OUT, engine=engine)
                if result.code == 0:
                    self.assertTrue(np.array_equal(self.image("out.png"), values), (engine, width))
                else:  # SwiftShader has 8192 and no more
                    self.refused(result, 4, "max_texture_dimension_2d of (8192)", str(max(width, height)))

    def around(self, values):
        """The neighbours of each pixel, by (dy, dx), the last pixel again beyond the edge."""
        height, width = values.shape[:2]
        padded = np.pad(values.astype("f8"), ((1, 1), (1, 1), (0, 0)), mode="edge")
        return {(dy, dx): padded[1 + dy:1 + dy + height, 1 + dx:1 + dx + width] for dy in (-1, 0, 1) for dx in (-1, 0, 1)}

    def assert_within_a_level(self, values, wanted):
        self.assertEqual(values.shape, wanted.shape)
        self.assertLessEqual(np.abs(values.astype("f8") - wanted).max(), 1.0)

    def test_filters_are_what_numpy_says(self):
        for width, height in ((257, 130), (1366, 768), (1, 1), (3, 2)):
            values = photograph(width, height)
            self.write("in.png", png(values))
            near = self.around(values)
            blurred = sum((2 - abs(dy)) * (2 - abs(dx)) * part for (dy, dx), part in near.items()) / 16
            light = {place: part[..., :3] @ [0.2126, 0.7152, 0.0722] for place, part in near.items()}
            across = sum((2 - abs(i)) * (light[i, 1] - light[i, -1]) for i in (-1, 0, 1))
            down = sum((2 - abs(i)) * (light[1, i] - light[-1, i]) for i in (-1, 0, 1))
            edges = np.minimum(0.5 * np.hypot(across, down), 255)
            edges = np.stack([edges, edges, edges, np.full_like(edges, 255)], axis=-1)
            lit = np.minimum(values[..., :3] / 255 * 2 ** 0.25, 1)
            toned = 255 * (0.25 * lit + 0.75 * lit * lit * (3 - 2 * lit))
            toned = np.concatenate([toned, values[..., 3:]], axis=-1)
            for engine in self.on_both_engines():
                self.assert_within_a_level(self.filtered("blur3.wgsl", engine=engine), blurred)
                self.assert_within_a_level(self.filtered("edge.wgsl", "--set", "gain=0.5", engine=engine), edges)
                self.assert_within_a_level(
                    self.filtered("tone.wgsl", "--set", "exposure=0.25", "--set", "contrast=0.75", engine=engine), toned)


class Arrays(ImageTest):
    def through(self, values, sample, storage, engine, body=None, **options):
        self.save("in.npy", values)
        wgsl = shader(sample, f"texture_storage_2d<{storage}, write>") if body is None else body
        return self.works(self.run_shader(wgsl, "--load", "in=in.npy", "--save", "out=out.npy", engine=engine, **options))

    def test_dtypes_and_channels(self):
        noise = np.random.default_rng(3)
        for engine in self.on_both_engines():
            for dtype, sample, storage in (("f4", "f32", "32float"), ("u4", "u32", "32uint"), ("i4", "i32", "32sint")):
                for channels, name in ((1, "r"), (2, "rg"), (4, "rgba")):
                    shape = (6, 7) if channels == 1 else (6, 7, channels)
                    values = noise.integers(0, 2 ** 31 - 1, shape).astype(dtype)
                    self.through(values, f"texture_2d<{sample}>", name + storage, engine)
                    out = self.load("out.npy")
                    self.assertEqual((out.dtype, out.shape), (values.dtype, values.shape))
                    self.assertTrue(np.array_equal(out, values), (dtype, channels))
            for dtype, sample, storage in (("u1", "u32", "rgba8uint"), ("i1", "i32", "rgba8sint"), ("u2", "u32", "rgba16uint"),
                                           ("i2", "i32", "rgba16sint"), ("u1", "f32", "rgba8unorm"), ("f2", "f32", "rgba16float")):
                values = noise.integers(0, 100, (5, 3, 4)).astype(dtype)
                self.through(values, f"texture_2d<{sample}>", storage, engine)
                self.assertTrue(np.array_equal(self.load("out.npy"), values), dtype)
                self.assertEqual(self.load("out.npy").dtype, values.dtype)

    def test_three_channels_become_four(self):
        for engine in self.on_both_engines():
            for dtype, sample, storage, alpha in (("u1", "f32", "rgba8unorm", 255), ("f4", "f32", "rgba32float", 1),
                                                  ("u2", "u32", "rgba16uint", 65535), ("i4", "i32", "rgba32sint", 1)):
                values = np.arange(2 * 5 * 3).astype(dtype).reshape(2, 5, 3)
                result = self.through(values, f"texture_2d<{sample}>", storage, engine)
                self.assertIn(f"alpha is added and is {alpha}", " ".join(result.err.split()))
                out = self.load("out.npy")
                self.assertTrue(np.array_equal(out[..., :3], values), dtype)
                self.assertTrue((out[..., 3] == alpha).all(), dtype)

    def test_layers_come_from_the_first_axis(self):
        wgsl = ("@group(0) @binding(0) var in: texture_2d_array<f32>;\n"
                "@group(0) @binding(1) var out: texture_storage_2d_array<rgba32float, write>;\n"
                "@compute @workgroup_size(4, 4) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                "textureStore(out, id.xy, id.z, textureLoad(in, id.xy, id.z, 0) + f32(id.z) * 1000.0); }")
        values = np.arange(5 * 9 * 6 * 4, dtype="f4").reshape(5, 9, 6, 4)
        for engine in self.on_both_engines():
            result = self.through(values, None, None, engine, wgsl)
            self.assertIn("2x3x5 group(s)", result.err)
            self.assertTrue(np.array_equal(self.load("out.npy"), values + np.arange(5).reshape(5, 1, 1, 1) * 1000))

    def test_byte_order_and_axis_order(self):
        values = np.arange(7 * 4 * 3, dtype=">u2").reshape(7, 4, 3)
        for engine in self.on_both_engines():
            for given in (values, np.asfortranarray(values)):
                self.through(given, "texture_2d<u32>", "rgba16uint", engine)
                self.assertTrue(np.array_equal(self.load("out.npy")[..., :3], values))

    def test_a_storage_texture_that_is_read(self):
        wgsl = ("@group(0) @binding(0) var image: texture_storage_2d<r32uint, read_write>;\n"
                "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                "textureStore(image, id.xy, textureLoad(image, id.xy) * 3u); }")
        values = np.arange(70, dtype="u4").reshape(7, 10)
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            self.works(self.run_shader(wgsl, "--load", "image=in.npy", "--save", "image=out.npy", engine=engine))
            self.assertTrue(np.array_equal(self.load("out.npy"), values * 3))

    def test_a_grey_image_into_one_channel(self):
        wgsl = ("@group(0) @binding(0) var image: texture_storage_2d<r32float, read_write>;\n"
                "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                "textureStore(image, id.xy, textureLoad(image, id.xy) + 1.0); }")
        self.write("in.png", png(photograph(7, 5)))
        self.refused(self.run_shader(wgsl, "--load", "image=in.png"), 2, "1 channel", "grey")
        for bits, most in ((8, 255), (16, 65535)):
            values = np.linspace(0, most, 7 * 5).astype("u2").reshape(5, 7, 1)
            self.write("in.png", png(values, GREY, bits))
            for engine in self.on_both_engines():
                self.works(self.run_shader(wgsl, "--load", "image=in.png", "--save", "image=out.npy", engine=engine))
                wanted = values[..., 0].astype("f4") / np.float32(most) + np.float32(1)
                self.assertTrue(np.array_equal(self.load("out.npy"), wanted), bits)

    def test_blue_first_keeps_colours(self):
        values = photograph(12, 9)
        self.write("in.png", png(values))
        for engine in self.on_both_engines():
            result = self.run_shader(shader("texture_2d<f32>", "texture_storage_2d<bgra8unorm, write>"), *IN_OUT, engine=engine)
            if result.code == 0:
                self.assertTrue(np.array_equal(self.image("out.png"), values))
            else:
                self.refused(result, 4, "bgra8unorm-storage")

    def test_pipes(self):
        values = photograph(31, 17)
        for engine in self.on_both_engines():
            result = self.works(self.run_shader(COPY, "--load", "in=-", "--save", "out=-", stdin=png(values), engine=engine))
            self.assertTrue(np.array_equal(np.load(io.BytesIO(result.out)), values))
            for kind, read in (("png", lambda out: read_png(out)[0]),
                               ("raw", lambda out: np.frombuffer(out, "u1").reshape(17, 31, 4))):
                result = self.works(self.run_shader(COPY, "--load", "in=-", "--save", f"out={kind}:-", stdin=png(values),
                                                    engine=engine))
                self.assertTrue(np.array_equal(read(result.out), values), kind)

    def test_what_is_probably_not_meant_is_noted(self):
        wgsl = shader("texture_2d_array<f32>", "texture_storage_2d<rgba8unorm, write>",
                      "textureStore(out, id.xy, textureLoad(in, id.xy, 0, 0));")
        self.save("in.npy", np.zeros((30, 50, 3), "u1"))
        said = " ".join(self.works(self.run_shader(wgsl, "--load", "in=in.npy", engine="dawn")).err.split())
        self.assertIn("(30, 50, 3) is taken as 30 layers of 3x50 with one channel", said)
        self.assertIn("nothing is saved", said)

    def test_sizes_given_and_raw_texels(self):
        wgsl = ("@group(0) @binding(0) var out: texture_storage_2d<rgba8unorm, write>;\n"
                "@compute @workgroup_size(16, 4) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                "textureStore(out, id.xy, vec4f(vec2f(id.xy), 255.0, 0.0) / 255.0); }")
        down, across = np.mgrid[0:21, 0:33]
        wanted = np.stack([across, down, np.full_like(down, 255), np.zeros_like(down)], axis=-1).astype("u1")
        for engine in self.on_both_engines():
            result = self.works(self.run_shader(wgsl, "--zero", "out=33x21", "--save", "out=out.raw", "--save", "out=out.png",
                                                "--json", engine=engine))
            self.assertEqual(np.fromfile(self.path("out.raw"), "u1").tobytes(), wanted.tobytes())
            self.assertTrue(np.array_equal(self.image("out.png"), wanted))
            self.assertEqual(result.json()["groups"], [3, 6, 1])
            binding = result.json()["bindings"][0]
            self.assertEqual((binding["format"], binding["size"], binding["bytes"]), ("rgba8unorm", [33, 21, 1], 33 * 21 * 4))

    def test_an_image_into_a_buffer(self):
        wgsl = ("@group(0) @binding(0) var in: texture_2d<f32>;\n"
                "@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;\n"
                "@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                "if (all(id.xy < textureDimensions(in))) {\n"
                "atomicAdd(&bins[u32(round(textureLoad(in, id.xy, 0).x * 255.0))], 1u); } }")
        values = photograph(100, 50)
        self.write("in.png", png(values))
        for engine in self.on_both_engines():
            self.works(self.run_shader(wgsl, "--load", "in=in.png", "--zero", "bins=1KiB", "--save", "bins=out.npy",
                                       engine=engine))
            self.assertTrue(np.array_equal(self.load("out.npy"), np.bincount(values[..., 0].ravel(), minlength=256)))


if __name__ == "__main__":
    unittest.main()
