# SPDX-License-Identifier: MIT
"""ferry record: films of shaders, against references in NumPy, on both engines; and recordings that end early."""
import os
import pty
import resource
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from ferry_program import ENGINES, EXAMPLES, PROGRAM, FerryTest
from png_files import read_png

PLASMA = os.path.join(EXAMPLES, "plasma.wgsl")
RIPPLES = os.path.join(EXAMPLES, "ripples.wgsl")
WIDTH, HEIGHT = 61, 37  # odd, so that chroma has edges of its own
SIZE = f"{WIDTH}x{HEIGHT}"
RED = "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }"


def wave(x):
    return abs(2 * (x - np.floor(x)) - 1)


def centres(width, height):
    return np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)


def plasma(frame, fps, width=WIDTH, height=HEIGHT):
    x, y = centres(width, height)
    x, y, time_s = x / width, y / height, frame / fps
    across, down = wave(2 * x + 0.25 * time_s), wave(3 * y - 0.5 * time_s)
    aslant = wave(x + y + 0.5 * across * down)
    return np.stack([0.5 * across + 0.5 * aslant, 0.75 * aslant * down, 0.25 + 0.75 * down * across, np.ones_like(x)], -1)


def ripples(frame, _, width=WIDTH, height=HEIGHT):
    x, y = centres(width, height)
    turns = (np.hypot(x - width / 2, y - height / 2) - frame) / 32
    ring = abs(turns - np.floor(turns) - 0.5) * 2
    return np.stack([ring * 0.25, ring * 0.5, ring, np.ones_like(x)], -1)


def levels(values):
    return np.clip(np.floor(values * 255 + 0.5), 0, 255).astype(int)


def bt709(rgba):
    """Y, Cb and Cr of limited range, 4:2:0 sited in the middle: the definition, in 64-bit floats, unrounded."""
    rgb = rgba[..., :3].astype(float) / 255
    luma = rgb @ [0.2126, 0.7152, 0.0722]
    padded = np.pad(rgb, ((0, rgb.shape[0] % 2), (0, rgb.shape[1] % 2), (0, 0)), "edge")
    mean = padded.reshape(padded.shape[0] // 2, 2, padded.shape[1] // 2, 2, 3).mean(axis=(1, 3))
    mean_luma = mean @ [0.2126, 0.7152, 0.0722]
    return (16 + 219 * luma, 128 + 224 * (mean[..., 2] - mean_luma) / 1.8556,
            128 + 224 * (mean[..., 0] - mean_luma) / 1.5748)


class Y4m:
    def __init__(self, content):
        line, _, rest = content.partition(b"\n")
        self.tags = line.decode().split(" ")
        width, height = (int(self.tags[i][1:]) for i in (1, 2))
        luma, chroma = (height, width), ((height + 1) // 2, (width + 1) // 2)
        shapes = (luma, chroma, chroma)
        size = 6 + sum(rows * columns for rows, columns in shapes)
        self.rest = len(rest) % size  # bytes behind the last whole frame
        self.frames = []
        for at in range(0, len(rest) - self.rest, size):
            assert rest[at:at + 6] == b"FRAME\n"
            planes, place = [], at + 6
            for rows, columns in shapes:
                planes.append(np.frombuffer(rest, "u1", rows * columns, place).reshape(rows, columns))
                place += rows * columns
            self.frames.append(planes)


class RecordTest(FerryTest):
    def record(self, shader, *arguments, **options):
        if "\n" in shader or "{" in shader:
            shader = self.write("shader.wgsl", shader)
        return self.ferry("record", shader, *arguments, **options)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def raw(self, name, width=WIDTH, height=HEIGHT):
        return np.frombuffer(self.read(name), "u1").reshape(-1, height, width, 4)

    def y4m(self, name):
        film = Y4m(self.read(name))
        self.assertEqual(film.rest, 0)
        return film

    def near(self, got, wanted, apart=1):
        self.assertLessEqual(abs(np.asarray(got, float) - wanted).max(), apart)

    def start(self, *arguments, engine="wgpu", **options):
        process = subprocess.Popen([PROGRAM, "record", *map(str, arguments)], cwd=self.folder,
                                   env=self.environment(engine), **{"stderr": subprocess.PIPE, **options})
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_until(self, happened):
        end = time.monotonic() + 60
        while not happened():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def nothing_left(self):
        self.assertEqual([name for name in os.listdir(self.folder) if name != "shader.wgsl"], [])


class Films(RecordTest):
    def test_raw_frames_equal_the_reference(self):
        for engine in ENGINES:
            for shader, reference in ((PLASMA, plasma), (RIPPLES, ripples)):
                self.works(self.record(shader, "--size", SIZE, "--frames", 40, "--fps", 12, "-o", "out.raw", engine=engine))
                frames = self.raw("out.raw")
                self.assertEqual(len(frames), 40)
                for i in (0, 20, 39):
                    self.near(frames[i], levels(reference(i, 12)))
                self.assertFalse(np.array_equal(frames[0], frames[39]))

    def test_y4m_frames_equal_the_reference(self):
        for engine in ENGINES:
            self.works(self.record(PLASMA, "--size", SIZE, "--frames", 31, "--fps", "29.97", "-o", "out.y4m", engine=engine))
            film = self.y4m("out.y4m")
            self.assertEqual(film.tags[:7], ["YUV4MPEG2", f"W{WIDTH}", f"H{HEIGHT}", "F2997:100", "Ip", "A1:1", "C420jpeg"])
            self.assertIn("XCOLORRANGE=LIMITED", film.tags)
            self.assertEqual(len(film.frames), 31)
            for i in (0, 15, 30):
                for got, wanted in zip(film.frames[i], bt709(255 * plasma(i, 29.97))):
                    self.near(got, wanted, 1.5)  # one level, and the rounding

    def test_the_colour_conversion_rounds_to_the_nearest(self):
        wgsl = ("@group(0) @binding(0) var<uniform> frame: u32;\n@fragment fn main(@builtin(position) at: vec4f) -> "
                "@location(0) vec4f { return vec4f(floor(at.x) * 8.0, floor(at.y) * 8.0, f32(frame) * 85.0, 255.0) / 255.0; }")
        for size in ("32x32", "31x1", "1x31", "1x1"):
            width, height = map(int, size.split("x"))
            for name in ("out.raw", "out.y4m"):
                self.works(self.record(wgsl, "--size", size, "--frames", 4, "-o", name, engine="wgpu"))
            for rgba, planes in zip(self.raw("out.raw", width, height), self.y4m("out.y4m").frames):
                for got, wanted in zip(planes, bt709(rgba)):
                    self.assertEqual(got.shape, wanted.shape)
                    self.near(got, wanted, 0.5000001)

    def test_the_ends_of_the_range(self):
        wgsl = ("@group(0) @binding(0) var<uniform> frame: u32;\n@fragment fn main() -> @location(0) vec4f "
                "{ return vec4f(vec3f(vec3u(frame, frame >> 1, frame >> 2) & vec3u(1)), 1.0); }")
        self.works(self.record(wgsl, "--size", "2x2", "--frames", 8, "-o", "out.y4m", engine="dawn"))
        seen = [[int(plane[0, 0]) for plane in planes] for planes in self.y4m("out.y4m").frames]
        # black, red, green, yellow, blue, magenta, cyan, white: BT.709's colour bars at 100 %
        self.assertEqual(seen, [[16, 128, 128], [63, 102, 240], [173, 42, 26], [219, 16, 138], [32, 240, 118],
                                [78, 214, 230], [188, 154, 16], [235, 128, 128]])

    def test_png_and_raw_are_equal(self):
        for engine in ENGINES:
            os.makedirs(self.path("frames"), exist_ok=True)
            for name in ("out.raw", "frames/out.png"):
                self.works(self.record(RIPPLES, "--size", SIZE, "--frames", 11, "-o", name, engine=engine))
            self.assertEqual(sorted(os.listdir(self.path("frames"))), [f"out-{i:04}.png" for i in range(11)])
            for i, frame in enumerate(self.raw("out.raw")):
                self.assertTrue(np.array_equal(read_png(self.read(f"frames/out-{i:04}.png"))[0], frame))

    def test_every_number_of_slots_gives_the_same_bytes(self):
        for engine in ENGINES:
            for shader in (PLASMA, RIPPLES):
                films = set()
                for slots in (1, 2, 4, 8, 64):
                    self.works(self.record(shader, "--size", "160x90", "--frames", 30, "--slots", slots, "-o", "out.raw",
                                           engine=engine))
                    films.add(self.read("out.raw"))
                self.assertEqual(len(films), 1)

    def test_standard_output_carries_the_same_bytes(self):
        for kind in ("y4m", "raw"):
            self.works(self.record(PLASMA, "--size", SIZE, "--frames", 7, "-o", "out." + kind, engine="dawn"))
            result = self.works(self.record(PLASMA, "--size", SIZE, "--frames", 7, "-o", "-", "--format", kind, engine="dawn"))
            self.assertEqual(result.out, self.read("out." + kind))
        result = self.works(self.record(PLASMA, "--size", SIZE, "--frames", 2, "-o", "-", "--format", "png", engine="dawn"))
        self.assertEqual(result.out.count(b"\x89PNG\r\n\x1a\n"), 2)

    def test_ffmpeg_reads_it(self):
        if not (shutil.which("ffprobe") and shutil.which("ffmpeg")):
            print("skipped: ffmpeg and ffprobe are not installed, so that nobody else reads the film")
            self.skipTest("ffmpeg and ffprobe are not installed")
        self.works(self.record(PLASMA, "--size", "64x48", "--frames", 120, "-o", "out.y4m", engine="wgpu"))
        said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=width,height,pix_fmt,color_range,chroma_location,nb_read_frames", "-of", "csv=p=0",
                               self.path("out.y4m")], capture_output=True, check=True)
        self.assertEqual(said.stdout.decode().strip(), "64,48,yuv420p,tv,center,120")
        decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", self.path("out.y4m"), "-f", "rawvideo", "-"],
                                 capture_output=True, check=True).stdout
        planes = b"".join(plane.tobytes() for planes in self.y4m("out.y4m").frames for plane in planes)
        self.assertEqual((said.stderr, decoded), (b"", planes))


class Uniforms(RecordTest):
    def values(self, wgsl, engine, *arguments):
        self.works(self.record(wgsl, "--size", "50x20", "--frames", 6, "-o", "out.raw", *arguments, engine=engine))
        frames = self.raw("out.raw", 50, 20)
        self.assertTrue((frames == frames[:, :1, :1]).all())
        return frames[:, 0, 0].astype(int)

    def test_members_of_a_struct(self):
        wgsl = ("struct Now { before: vec3f, time: f32, resolution: vec2u, frame: u32, mouse: vec2f }\n"
                "@group(1) @binding(2) var<uniform> now: Now;\n@fragment fn main() -> @location(0) vec4f { return "
                "vec4f(now.time * 24.0, f32(now.frame) + now.mouse.x, vec2f(now.resolution)) / 255.0; }")
        for engine in ENGINES:
            seen = self.values(wgsl, engine, "--fps", "24")
            self.assertEqual(seen.tolist(), [[i, i, 50, 20] for i in range(6)])
        result = self.record(wgsl, "--size", "8x8", "--frames", 1, "-o", "out.raw", engine="wgpu")
        self.assertIn("mouse is not set and stays 0", result.err)

    def test_variables_in_groups_of_their_own(self):
        wgsl = ("@group(2) @binding(1) var<uniform> frame: u32;\n@group(0) @binding(3) var<uniform> time: f32;\n"
                "@group(0) @binding(0) var<uniform> resolution: vec2f;\n@group(3) @binding(0) var<uniform> unused: u32;\n"
                "@fragment fn main() -> @location(0) vec4f "
                "{ return vec4f(time * 1001.0 / 30.0, f32(frame), resolution) / 255.0; }")
        for engine in ENGINES:
            seen = self.values(wgsl, engine, "--fps", "30000/1001")
            # time is frame * 1001 / 30000 s
            self.near(seen, [[i * 1001 * 1001 / 900_000, i, 50, 20] for i in range(6)])

    def test_a_compute_shader_gets_them_too(self):
        wgsl = ("struct Now { frame: u32, resolution: vec2f }\n@group(0) @binding(1) var<uniform> now: Now;\n"
                "@group(1) @binding(0) var to: texture_storage_2d<rgba8unorm, write>;\n@compute @workgroup_size(16) fn main("
                "@builtin(global_invocation_id) id: vec3u) { textureStore(to, id.xy, vec4f(f32(now.frame), now.resolution, "
                "7.0) / 255.0); }")
        for engine in ENGINES:
            self.assertEqual(self.values(wgsl, engine).tolist(), [[i, 50, 20, 7] for i in range(6)])

    def test_a_type_that_is_not_given(self):
        wgsl = ("@group(0) @binding(0) var<uniform> time: u32;\n@fragment fn main() -> @location(0) vec4f "
                "{ return vec4f(f32(time)); }")
        self.refused(self.record(wgsl, "-o", "out.y4m"), 2, "time", "u32", "time: f32")


class Shaders(RecordTest):
    def refused_shader(self, wgsl, code, *words, engine=None, arguments=()):
        self.refused(self.record(wgsl, "--frames", 3, "-o", "out.y4m", *arguments, engine=engine), code, *words)
        self.nothing_left()

    def test_entry_points(self):
        vertex = "@vertex fn corner() -> @builtin(position) vec4f { return vec4f(0.0); }\n"
        two = vertex + RED + RED.replace("main", "other").replace("1.0, 0.0, 0.0", "0.0, 1.0, 0.0")
        self.refused_shader(vertex, 2, "no fragment or compute entry point", "@fragment")
        self.refused_shader(two, 2, "2 entry points", "main, other", "--entry main")
        self.refused_shader(two, 2, '"corner"', "main, other", arguments=("--entry", "corner"))
        self.refused_shader(two, 2, '"othr"', "--entry other", arguments=("--entry", "othr"))
        self.works(self.record(two, "--size", "3x3", "--frames", 1, "--entry", "other", "-o", "out.raw", engine="dawn"))
        self.assertEqual(self.raw("out.raw", 3, 3)[0, 1, 1].tolist(), [0, 255, 0, 255])

    def test_wgsl_errors_show_the_line(self):
        wgsl = "@fragment fn main() -> @location(0) vec4f {\n    return nonsense(1.0);\n}"
        for engine in ENGINES:
            self.refused_shader(wgsl, 2, "line 2, column 12", "nonsense", "2 | return nonsense(1.0);", "shader.wgsl",
                                engine=engine)

    def test_an_output_that_does_not_fit(self):
        for engine in ENGINES:
            self.refused_shader("@fragment fn main() -> @location(0) vec4u { return vec4u(1); }", 9, "fragment entry point",
                                "@location(0) vec4f", engine=engine)

    def test_what_a_film_has_nothing_for(self):
        textured = ("@group(0) @binding(0) var image: texture_2d<f32>;\n@fragment fn main() -> @location(0) vec4f "
                    "{ return textureLoad(image, vec2u(0), 0); }")
        self.refused_shader(textured, 4, "image", "texture_2d<f32>", "uniforms alone")
        self.refused_shader("@compute @workgroup_size(1) fn main() {}", 2, "writes no texture", "rgba8unorm")
        target = ("@group(0) @binding(0) var to: texture_storage_2d<%s, write>;\n@compute @workgroup_size(1) fn main() "
                  "{ textureStore(to, vec2u(0), vec4f(0.0)); }")
        self.refused_shader(target % "rgba16float", 4, "rgba16float", "rgba8unorm")
        self.refused_shader("override gain: f32;\n" + RED.replace("1.0, 0.0", "gain, 0.0"), 2, "gain", "no default")

    def test_a_shader_from_standard_input(self):
        self.works(self.ferry("record", "-", "--size", "2x2", "--frames", 1, "-o", "out.raw", stdin=RED.encode(),
                              engine="wgpu"))
        self.assertEqual(self.raw("out.raw", 2, 2)[0, 0, 0].tolist(), [255, 0, 0, 255])


class Options(RecordTest):
    def test_wrong_options(self):
        for arguments, code, words in (
                (("--size", "640"), 2, ("640x480",)), (("--size", "0x9"), 2, ("at least 1",)),
                (("--size", "4x4x2"), 2, ("WIDTHxHEIGHT",)), (("--size", "40000x9"), 5, ("32768", "32768x9")),
                (("--frames", "0"), 2, ("--frames (0)", "--frames 1")), (("--slots", "0"), 2, ("--slots 1",)),
                (("--slots", "65"), 2, ("--slots 64",)), (("--fps", "0"), 2, ("above 0",)),
                (("--fps", "1/0"), 2, ("30000/1001",)), (("--fps", "fast"), 2, ("fast", "29.97")), (("--format", "mp4"), 2, ("mp4", "y4m, png or raw")),
                (("-o", "out.mp4"), 2, ("out.mp4", "--format")), (("-o", "out%04d.png"), 2, ("out-0000.png",)),
                (("--json", "-o", "-"), 2, ("--json",)), (("-o", "missing/out.y4m"), 3, ("mkdir -p missing",)),
                (("-o", "missing/out.png"), 3, ("mkdir -p missing",)), (("--sise", "3x3"), 2, ("--size",))):
            output = () if "-o" in arguments else ("-o", "out.y4m")
            self.refused(self.record(PLASMA, *output, *arguments), code, *words)
            self.nothing_left()
        self.refused(self.record(PLASMA), 2, "No output", "-o out.y4m")
        self.refused(self.record("absent.wgsl", "-o", "out.y4m"), 3, "absent.wgsl")
        self.refused(self.ferry("record"), 2, "ferry record SHADER.wgsl")

    def test_a_size_that_the_adapter_has_not(self):
        for engine in ENGINES:
            self.refused(self.record(PLASMA, "--size", "32768x8", "-o", "out.y4m", engine=engine), 4, "32768")
            self.nothing_left()

    def test_json_and_quiet(self):
        result = self.works(self.record(PLASMA, "--size", SIZE, "--frames", 20, "--slots", 3, "--fps", "29.97", "-o", "out.y4m",
                                        "--json", engine="wgpu"))
        said = result.json()
        self.assertEqual((said["frames"], said["size"], said["fps"]), (20, [WIDTH, HEIGHT], [2997, 100]))
        self.assertEqual((said["stage"], said["entry"], said["format"]), ("fragment", "plasma", "y4m"))
        self.assertEqual((said["ring"]["slots"], said["ring"]["delivered"], said["ring"]["skipped"]), (3, 20, 0))
        self.assertIn("BT.709", said["colours"])
        quiet = self.works(self.record(PLASMA, "--size", SIZE, "-o", "out.y4m", "--quiet", engine="wgpu"))
        self.assertEqual((quiet.out, quiet.err), (b"", ""))


class Ends(RecordTest):
    ENDLESS = ("--frames", 4_000_000_000)

    def stop(self, process, number=signal.SIGINT):
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + number, said)
        return said.decode()

    def test_interrupted_it_leaves_a_shorter_film(self):
        for engine, number in (("wgpu", signal.SIGINT), ("dawn", signal.SIGTERM)):
            process = self.start(PLASMA, "--size", SIZE, *self.ENDLESS, "-o", "out.y4m", engine=engine)
            self.wait_until(lambda: self.open_file_bytes(process.pid) > 100_000)
            said = self.stop(process, number)
            film = self.y4m("out.y4m")
            self.assertIn(f"out.y4m holds the first {len(film.frames):,} of 4,000,000,000 frames", said)
            last = len(film.frames) - 1
            self.assertGreater(last, 10)
            for got, wanted in zip(film.frames[last], bt709(255 * plasma(last, 30))):
                self.near(got, wanted, 2)
            os.remove(self.path("out.y4m"))

    def open_file_bytes(self, process):
        """The size of the file without a name that it writes."""
        sizes = [0]
        for entry in os.scandir(f"/proc/{process}/fd"):
            try:
                if os.readlink(entry.path).startswith(self.folder):
                    sizes.append(os.stat(entry.path).st_size)
            except FileNotFoundError:
                pass
        return max(sizes)

    def test_interrupted_it_leaves_whole_images(self):
        process = self.start(RIPPLES, "--size", SIZE, *self.ENDLESS, "-o", "out.png")
        self.wait_until(lambda: len(os.listdir(self.folder)) > 5)
        self.stop(process)
        names = sorted(os.listdir(self.folder))
        self.assertEqual(names, [f"out-{i:010}.png" for i in range(len(names))])
        for i in (0, len(names) - 1):
            self.near(read_png(self.read(names[i]))[0], levels(ripples(i, 30)))

    def test_interrupted_a_stream_ends_with_a_whole_frame(self):
        process = self.start(PLASMA, "--size", SIZE, *self.ENDLESS, "-o", "-", stdout=subprocess.PIPE)
        content = process.stdout.read(50_000)
        process.send_signal(signal.SIGINT)
        content += process.stdout.read()
        process.stdout.close()
        process.stderr.close()
        film = Y4m(content)
        self.assertEqual((process.wait(timeout=60), film.rest), (130, 0))
        self.assertGreater(len(film.frames), 10)

    def test_a_reader_that_leaves(self):
        for kind in ("y4m", "raw", "png"):
            process = self.start(PLASMA, *self.ENDLESS, "-o", "-", "--format", kind, stdout=subprocess.PIPE)
            self.assertEqual(len(process.stdout.read(1000)), 1000)
            process.stdout.close()
            said = process.stderr.read().decode()
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), 3, said)
            self.assertIn("Broken pipe", said)

    def test_a_reader_that_is_slow_does_not_fill_the_memory(self):
        process = self.start(PLASMA, "--size", "640x480", *self.ENDLESS, "-o", "-", "--format", "raw", "--slots", 2,
                             stdout=subprocess.PIPE)
        frame_bytes = 640 * 480 * 4
        process.stdout.read(frame_bytes)
        time.sleep(0.5)  # by now what may be filled is filled
        before = self.resident_bytes(process.pid)
        for _ in range(20):
            time.sleep(0.05)
            process.stdout.read(frame_bytes)
        self.assertLess(self.resident_bytes(process.pid) - before, 25 * frame_bytes)
        process.stdout.close()
        process.communicate(timeout=60)

    def resident_bytes(self, process):
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def test_a_full_disk(self):
        for kind in ("y4m", "raw"):
            self.refused(self.record(PLASMA, "-o", "/dev/full", "--format", kind, engine="wgpu"), 3, "No space left on device",
                         "frame 0", "Free some room")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        process = self.start(PLASMA, "--size", SIZE, "--frames", 1000, "-o", "out.y4m", preexec_fn=limit,
                             restore_signals=False)
        said = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, 3, said)
        self.assertIn("cannot be written: File too large", said)
        self.nothing_left()

    def test_a_terminal_shows_how_it_goes(self):
        terminal, side = pty.openpty()
        process = self.start(PLASMA, "--size", SIZE, *self.ENDLESS, "-o", "out.raw", stderr=side)
        os.close(side)
        shown = b""
        while b"skipped" not in shown:
            shown += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        os.close(terminal)
        self.assertRegex(shown.decode(), r"recording out\.raw \[\.{24}\]   0% of 4,000,000,000 frames, "
                                         r"[\d.]+ frames/s, latency \d+ frames [\d.]+ ms, 0 skipped")


if __name__ == "__main__":
    unittest.main()
