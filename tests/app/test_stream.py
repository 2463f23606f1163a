# SPDX-License-Identifier: MIT
"""ferry run --stream and --each: more than fits, and many files, against NumPy on both engines."""
import os
import resource
import signal
import subprocess
import time
import unittest

import numpy as np

from ferry_program import ENGINES, EXAMPLES, HEAD, MAIN, PLUS_ONE, PROGRAM, FerryTest

DOUBLE = os.path.join(EXAMPLES, "double.wgsl")
SAXPY = os.path.join(EXAMPLES, "saxpy.wgsl")
HISTOGRAM = os.path.join(EXAMPLES, "histogram.wgsl")
NORMALIZE = os.path.join(EXAMPLES, "normalize.wgsl")
IN_OUT = ("--load", "data=in.npy", "--stream", "data", "--save", "data=out.npy")
SQUARES = ("@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
           "@group(0) @binding(1) var<storage, read_write> y: array<u32>;\n" + MAIN +
           "if (id.x < arrayLength(&x)) { y[id.x] = u32(x[id.x] * x[id.x]); } }")
MIB = 1 << 20


def small_files():
    """In a child: files end at 100,000 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


class StreamTest(FerryTest):
    def streams(self, *arguments, engine, chunks=None, **options):
        """Runs it, and answers what --json says of the chunks."""
        result = self.works(self.ferry("run", *arguments, "--json", engine=engine, **options))
        cut = result.json()["stream"]
        if chunks is not None:
            self.assertEqual(cut["chunks"], chunks)
        return cut

    def out_is(self, wanted):
        out = self.load("out.npy")
        self.assertEqual((out.dtype, out.shape), (wanted.dtype, wanted.shape))
        self.assertTrue(np.array_equal(out, wanted))


class Streams(StreamTest):
    def test_doubles_an_array_that_is_no_multiple_of_the_chunk(self):
        values = np.arange(1_000_003, dtype="f4")
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            for chunk, chunks in (("400000", 11), ("4000012", 1), ("1MiB", 4), ("4000011", 2)):
                self.streams(DOUBLE, *IN_OUT, "--chunk", chunk, engine=engine, chunks=chunks)
                self.out_is(values * 2)

    def test_a_chunk_of_one_row_and_one_of_all(self):
        values = np.arange(5 * 6, dtype="f4").reshape(5, 6)
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            for chunk, chunks in ((24, 5), (47, 5), (48, 3), (120, 1), ("1GiB", 1)):
                self.streams(DOUBLE, *IN_OUT, "--chunk", chunk, engine=engine, chunks=chunks)
                self.out_is(values * 2)

    def test_the_default_chunk_is_what_one_dispatch_can_do(self):
        values = np.arange(5_000_000, dtype="f4")
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            cut = self.streams(DOUBLE, *IN_OUT, engine=engine)
            self.assertEqual((cut["chunk_rows"], cut["chunks"]), (65535 * 64, 2))
            self.out_is(values * 2)
            cut = self.streams(DOUBLE, *IN_OUT, "--groups", 64, engine=engine)
            self.assertEqual(cut["chunk_rows"] * 4, 16 * MIB)

    def test_two_inputs_in_step(self):
        x, y = np.arange(70_001, dtype="f4"), np.arange(70_001, dtype="f4")[::-1] % 7
        self.save("x.npy", x)
        self.save("y.npy", y.astype(">f4"))  # the other order of bytes
        for engine in self.on_both_engines():
            self.streams(SAXPY, "--load", "x=x.npy", "--load", "y=y.npy", "--set", "params.scale=2", "--stream", "x",
                         "--stream", "y", "--chunk", 40_000, "--save", "y=out.npy", engine=engine, chunks=8)
            self.out_is((2 * x + y).astype("f4"))

    def test_one_array_stays_while_the_other_goes_by(self):
        wgsl = ("@group(0) @binding(0) var<storage, read> table: array<f32>;\n" +
                HEAD.replace("0) var", "1) var") + "array<f32>;\n" + MAIN +
                "if (id.x < arrayLength(&data)) { data[id.x] += table[u32(data[id.x]) % arrayLength(&table)]; } }")
        values, table = np.arange(10_000, dtype="f4"), np.arange(17, dtype="f4") * 100
        self.save("in.npy", values)
        self.save("table.npy", table)
        self.write("shader.wgsl", wgsl)
        for engine in self.on_both_engines():
            self.streams("shader.wgsl", "--load", "table=table.npy", *IN_OUT, "--chunk", 4096, engine=engine, chunks=10)
            self.out_is(values + table[np.arange(10_000) % 17])

    def test_a_histogram_is_kept_over_all_chunks(self):
        values = np.random.default_rng(3).random(300_000, "f4")
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            self.streams(HISTOGRAM, "--load", "values=in.npy", "--stream", "values", "--zero", "bins=u32[32]", "--groups", 16,
                         "--chunk", "64KiB", "--save", "bins=out.npy", engine=engine, chunks=19)
            self.out_is(np.bincount((values * 32).astype(int), minlength=32).astype("u4"))

    def test_an_output_is_as_long_as_the_input(self):
        values = (np.arange(30_000, dtype="f4") % 200).reshape(1500, 20)
        self.save("in.npy", values)
        self.write("shader.wgsl", SQUARES)
        for engine in self.on_both_engines():
            for zero in ((), ("--zero", "y=u32[]"), ("--zero", "y=u32[1500, 20]")):
                self.streams("shader.wgsl", "--load", "x=in.npy", *zero, "--stream", "y", "--stream", "x", "--chunk", 8000,
                             "--save", "y=out.npy", engine=engine, chunks=15)
                self.out_is((values * values).astype("u4"))

    def test_brackets_follow_the_input_without_a_stream_too(self):
        values = np.arange(100, dtype="f4").reshape(5, 20)
        self.save("in.npy", values)
        for engine in self.on_both_engines():
            self.works(self.run_shader(SQUARES, "--load", "x=in.npy", "--zero", "y=u32[]", "--save", "y=out.npy", engine=engine))
            self.out_is((values * values).astype("u4"))

    def test_an_output_alone_knows_where_each_chunk_begins(self):
        wgsl = ("@group(0) @binding(0) var<uniform> chunk_first: u32;\n" +
                HEAD.replace("0) var", "1) var") + "array<u32>;\n" + MAIN +
                "if (id.x < arrayLength(&data)) { data[id.x] = (chunk_first + id.x) * 3u; } }")
        member = wgsl.replace("chunk_first: u32;", "p: P;\nstruct P { a: u32, chunk_first: u32 }").replace(
            "(chunk_first", "(p.a + p.chunk_first")
        for engine in self.on_both_engines():
            for text, sets, first in ((wgsl, (), 0), (member, ("--set", "p.a=5"), 5), (wgsl, ("--set", "chunk_first=7"), None)):
                self.write("shader.wgsl", text)
                self.streams("shader.wgsl", "--zero", "data=u32[100003]", *sets, "--stream", "data", "--chunk", "100kB", "--save",
                             "data=out.npy", engine=engine, chunks=5)
                wanted = np.arange(100_003) + first if first is not None else np.arange(100_003) % 25_000 + 7
                self.out_is((wanted * 3).astype("u4"))

    def test_outputs_of_zeros_are_zero_in_every_chunk(self):
        wgsl = HEAD + "array<u32>;\n" + MAIN + "if (id.x < arrayLength(&data)) { data[id.x] += 1u + id.x; } }"
        self.write("shader.wgsl", wgsl)
        for engine in self.on_both_engines():
            self.streams("shader.wgsl", "--zero", "data=u32[10000]", "--stream", "data", "--chunk", 4000, "--save",
                         "data=out.npy", engine=engine, chunks=10)
            self.out_is((np.arange(10_000) % 1000 + 1).astype("u4"))

    def test_vectors_of_three_and_structs(self):
        vectors = np.random.default_rng(2).random((1001, 3), "f4") + 0.1
        self.save("in.npy", vectors)
        for engine in self.on_both_engines():
            self.streams(NORMALIZE, "--load", "vectors=in.npy", "--stream", "vectors", "--chunk", 1600, "--save",
                         "vectors=out.npy", engine=engine, chunks=11)
            wanted = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            np.testing.assert_allclose(self.load("out.npy"), wanted, rtol=1e-5)
        wgsl = ("struct Point { at: vec2u, name: u32 }\n" + HEAD + "array<Point>;\n" + MAIN +
                "if (id.x < arrayLength(&data)) { data[id.x].name = arrayLength(&data); } }")
        words = np.arange(4 * 50, dtype="u4")  # 8 + 4 bytes, and a gap of 4: cut at whole structs
        self.save("in.npy", words)
        self.write("shader.wgsl", wgsl)
        words = words.reshape(50, 4).copy()
        words[:48, 2], words[48:, 2] = 6, 2
        for engine in self.on_both_engines():
            self.streams("shader.wgsl", *IN_OUT, "--chunk", 100, engine=engine, chunks=9)
            self.out_is(words.ravel())

    def test_half_floats_are_cut_at_whole_words(self):
        values = np.arange(1003, dtype="f2")
        self.save("in.npy", values)
        self.write("shader.wgsl", "enable f16;\n" + PLUS_ONE % ("f16", "f16"))
        for engine in self.on_both_engines():
            result = self.ferry("run", "shader.wgsl", *IN_OUT, "--chunk", 102, "--json", engine=engine)
            if result.code != 0:
                self.assertIn("shader-f16", result.out.decode())
                self.assertEqual(result.code, 4)
                continue
            self.assertEqual((result.json()["stream"]["chunk_rows"], result.json()["stream"]["chunks"]), (50, 21))
            self.out_is(values + np.float16(1))

    def test_the_length_is_that_of_the_chunk(self):
        wgsl = HEAD + "array<u32>;\n" + MAIN + "if (id.x < arrayLength(&data)) { data[id.x] = arrayLength(&data); } }"
        self.save("in.npy", np.zeros(1003, "u4"))
        self.write("shader.wgsl", wgsl)
        for engine in self.on_both_engines():
            self.streams("shader.wgsl", *IN_OUT, "--chunk", 400, engine=engine, chunks=11)
            self.out_is(np.array([100] * 1000 + [3] * 3, "u4"))

    def test_standard_input_and_output(self):
        values = np.arange(200_000, dtype="i4")
        self.save("in.npy", values)
        self.write("shader.wgsl", PLUS_ONE % ("i32", "i32"))
        with open(self.path("in.npy"), "rb") as file:
            content = file.read()
        for engine in self.on_both_engines():
            result = self.works(self.ferry("run", "shader.wgsl", "--load", "data=-", "--stream", "data", "--chunk", "50000",
                                           "--save", "data=-", "--save", "data=copy.npy", engine=engine, stdin=content))
            self.write("out.npy", result.out)
            self.out_is(values + 1)
            self.assertTrue(np.array_equal(self.load("copy.npy"), values + 1))

    def test_memory_stays_bounded(self):
        """256 MiB through chunks of 4 MiB: what is held over a run of one chunk is less than 12 chunks: 3 in flight, 3 buffers each."""
        header = np.lib.format.header_data_from_array_1_0(np.zeros(1, "f4"))
        with open(self.path("in.npy"), "wb") as file:  # a hole of zeros
            np.lib.format.write_array_header_1_0(file, {**header, "shape": (64 * MIB,)})
            file.truncate(file.tell() + 256 * MIB)
        self.save("small.npy", np.zeros(MIB, "f4"))
        self.write("shader.wgsl", PLUS_ONE % ("f32", "f32"))
        for engine in ENGINES:
            peaks = [self.peak_bytes(engine, name) for name in ("small.npy", "in.npy")]
            self.assertLess(peaks[1] - peaks[0], 12 * 4 * MIB, peaks)
            out = np.load(self.path("out.npy"), mmap_mode="r")
            self.assertEqual(out.shape, (64 * MIB,))
            self.assertTrue(all((out[at:at + 16 * MIB] == 1).all() for at in range(0, out.size, 16 * MIB)))

    def peak_bytes(self, engine, name):
        environment = self.environment(engine)
        # A sanitizer keeps what was freed, to find its use.
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0"
        process = subprocess.Popen([PROGRAM, "run", "shader.wgsl", "--load", "data=" + name, "--stream", "data", "--chunk", "4MiB",
                                    "--save", "data=out.npy"], cwd=self.folder, stderr=subprocess.PIPE,
                                   env=environment)
        said = process.stderr.read()
        process.stderr.close()
        status, usage = os.wait4(process.pid, 0)[1:]
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, said)
        return usage.ru_maxrss * 1024


class TooLarge(StreamTest):
    def test_an_array_that_no_adapter_takes_whole_goes_by_in_chunks(self):
        with open(self.path("in.npy"), "wb") as file:  # a hole of zeros, of 8 GiB
            np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (2048 * MIB,)})
            file.truncate(file.tell() + 8192 * MIB)
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *IN_OUT[:2], *IN_OUT[4:], engine=engine), 4, "--stream data")


class BadStreams(StreamTest):
    def setUp(self):
        super().setUp()
        self.save("in.npy", np.arange(1000, dtype="f4"))

    def test_names_that_cannot_be_streamed(self):
        load = ("--load", "x=in.npy", "--load", "y=in.npy", "--set", "params.scale=1", "--save", "y=out.npy")
        self.refused(self.ferry("run", SAXPY, *load, "--stream", "z"), 2, "\"z\"", "params, x, y")
        self.refused(self.ferry("run", SAXPY, *load, "--stream", "params"), 2, "uniform")
        self.refused(self.ferry("run", SAXPY, *load, "--stream", "x", "--stream", "0.1"), 2, "twice")
        self.save("image.npy", np.zeros((4, 4, 4), "u1"))
        self.refused(self.ferry("run", os.path.join(EXAMPLES, "identity.wgsl"), "--load", "in=image.npy", "--stream", "in"), 2,
                     "texture", "--each")
        wgsl = HEAD + "array<f32, 1000>;\n" + MAIN + "data[0] = 1; }"
        self.refused(self.run_shader(wgsl, *IN_OUT), 2, "size is fixed", "array<T>")

    def test_lengths_that_differ(self):
        self.save("y.npy", np.zeros(999, "f4"))
        both = ("--load", "x=in.npy", "--stream", "x", "--stream", "y", "--set", "params.scale=1", "--save", "y=out.npy")
        self.refused(self.ferry("run", SAXPY, *both, "--load", "y=y.npy"), 2, "(1000)", "(999)", "y.npy")
        self.refused(self.ferry("run", SAXPY, *both, "--zero", "y=f32[7]"), 2, "(1000)", "(7)", "leave --zero y out")
        self.refused(self.ferry("run", SAXPY, *both, "--zero", "y=f32"), 2, "shape ()", "--zero 'y=f32[]'")

    def test_arrays_that_cannot_be_cut(self):
        self.save("in.npy", np.asfortranarray(np.ones((8, 8), "f4")))
        self.refused(self.ferry("run", DOUBLE, *IN_OUT), 2, "Fortran", "ascontiguousarray")
        self.save("in.npy", np.float32(1))
        self.refused(self.ferry("run", DOUBLE, *IN_OUT), 2, "shape ()", "reshape(-1)")

    def test_chunks_of_no_size(self):
        self.save("in.npy", np.ones((8, 1000), "f4"))
        for chunk in ("0", "3999"):
            self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--chunk", chunk), 2, "4,000 bytes", "--chunk 4000")
        for chunk in ("much", "-1", "4 parsecs"):
            self.refused(self.ferry("run", DOUBLE, *IN_OUT, f"--chunk={chunk}"), 2, "is not a size")
        self.refused(self.ferry("run", DOUBLE, *IN_OUT[:2], *IN_OUT[4:], "--chunk", "4000"), 2, "--stream NAME")

    def test_a_chunk_is_at_most_one_dispatch(self):
        data = np.arange(1 << 23, dtype="f4")
        self.save("in.npy", data)
        for engine in self.on_both_engines():
            said = self.works(self.ferry("run", DOUBLE, *IN_OUT, "--chunk", "1GiB", engine=engine))
            self.assertIn("3 chunk(s) of 4,194,240 row(s)", said.err)
            self.assertTrue(np.array_equal(self.load("out.npy"), data * 2))

    def test_an_array_that_could_be_cut_as_well_is_named(self):
        for name in ("x", "y"):
            self.save(f"{name}.npy", np.ones(4096, "f4"))
        said = self.works(self.ferry("run", SAXPY, "--load", "x=x.npy", "--load", "y=y.npy", "--stream", "x",
                                     "--chunk", "4096", "--set", "params.scale=1", "--save", "y=o.npy", engine="wgpu"))
        self.assertIn("--stream y cuts it as well", said.err)

    def test_placeholders_that_stand_for_nothing(self):
        self.save("in.npy", np.zeros(4, "f4"))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in*.npy", "--save", "data={steam}.npy"), 2, "{steam}", "{stem}")
        self.refused(self.ferry("run", DOUBLE, "--load", "data=in.npy", "--save", "data={stem}.npy"), 2, "--each")

    def test_an_input_that_ends_in_the_middle(self):
        self.save("in.npy", np.arange(100_000, dtype="f4"))
        with open(self.path("in.npy"), "rb") as file:
            content = file.read(128 + 250_001)
        arguments = ("--load", "data=-", "--stream", "data", "--chunk", "40000", "--save", "data=out.npy")
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *arguments, engine=engine, stdin=content), 2, "chunk 7 of 10",
                         "rows 60,000 to 69,999", "400,000 bytes", "holds 250,001.", "standard input")
        self.write("in.npy", content)
        self.refused(self.ferry("run", DOUBLE, *IN_OUT), 2, "ends too early", "250,001")

    def test_a_full_disk(self):
        self.save("in.npy", np.arange(100_000, dtype="f4"))
        for engine in self.on_both_engines():
            self.refused(self.ferry("run", DOUBLE, *IN_OUT[:4], "--save", "data=/dev/full", "--chunk", 4000, engine=engine), 3,
                         "No space left")
            process = subprocess.run([PROGRAM, "run", DOUBLE, *IN_OUT, "--chunk", "4000"], cwd=self.folder, capture_output=True,
                                     env=self.environment(engine), preexec_fn=small_files, timeout=60)
            self.assertEqual(process.returncode, 3, process.stderr)
            self.assertIn(b"in chunk 25 of 100", process.stderr)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_a_reader_that_leaves(self):
        self.save("in.npy", np.zeros(1 << 20, "f4"))
        for engine in ENGINES:
            process = subprocess.Popen([PROGRAM, "run", DOUBLE, "--load", "data=in.npy", "--stream", "data", "--chunk", "64KiB", "--save",
                                        "data=-"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=self.environment(engine))
            self.assertEqual(process.stdout.read(6), b"\x93NUMPY")
            process.stdout.close()
            said = process.stderr.read().decode()
            process.stderr.close()
            self.assertEqual(process.wait(60), 3, said)
            self.assertIn("Broken pipe", said)

    def test_an_error_while_the_input_waits(self):
        """The output fails at chunk 25 while the reader is blocked in chunk 26, in a pipe that stays open."""
        self.save("in.npy", np.zeros(100_000, "f4"))
        with open(self.path("in.npy"), "rb") as file:
            content = file.read(128 + 25 * 4000 + 2000)
        process = subprocess.Popen([PROGRAM, "run", DOUBLE, "--load", "data=-", "--stream", "data", "--chunk", "4000", "--save",
                                    "data=out.npy"], cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment("dawn"), preexec_fn=small_files)
        process.stdin.write(content)
        process.stdin.flush()
        said = process.stderr.read()
        self.assertEqual(process.wait(60), 3, said)
        self.assertIn(b"File too large", said)
        self.assertIn(b"in chunk 25 of 100", said)
        self.assertEqual(os.listdir(self.folder), ["in.npy"])
        process.stderr.close()
        process.stdin.close()

    def test_interrupts_leave_nothing(self):
        self.save("in.npy", np.zeros(1000, "f4"))
        with open(self.path("in.npy"), "rb") as file:
            content = file.read(2000)
        os.remove(self.path("in.npy"))
        for engine in ENGINES:
            process = subprocess.Popen([PROGRAM, "run", DOUBLE, "--load", "data=-", "--stream", "data", "--chunk", "400", "--save",
                                        "data=out.npy"], cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=self.environment(engine))
            process.stdin.write(content)
            process.stdin.flush()
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 130)
            self.assertIn(b"interrupted", process.stderr.read())
            process.stderr.close()
            process.stdin.close()
            self.assertEqual(os.listdir(self.folder), [])


LOSES_THE_DEVICE = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stddef.h>
    extern void* ferry_fake_of_instance(void* instance);
    extern void ferry_fake_lose_devices(void* fake);
    static void* fake;
    static int submits;
    void* wgpuCreateInstance(const void* options) {
        void* (*create)(const void*) = (void* (*)(const void*))dlsym(RTLD_NEXT, "wgpuCreateInstance");
        void* instance = create(options);
        fake = ferry_fake_of_instance(instance);
        return instance;
    }
    void wgpuQueueSubmit(void* queue, size_t count, const void* commands) {
        void (*submit)(void*, size_t, const void*) = (void (*)(void*, size_t, const void*))dlsym(RTLD_NEXT, "wgpuQueueSubmit");
        submit(queue, count, commands);
        if (++submits == 10) ferry_fake_lose_devices(fake);
    }"""


class LostDevices(StreamTest):
    def test_a_device_that_is_lost_leaves_nothing(self):
        fake = os.environ.get("FERRY_FAKE_PATH") or os.path.join(os.path.dirname(PROGRAM), "fake", "libferry_fake.so")
        if not os.path.exists(fake):
            self.skipTest("no " + fake)
        source = self.write("lossy.c", LOSES_THE_DEVICE)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.path("lossy.so"), self.path(source), fake, "-Wl,-rpath," +
                        os.path.dirname(fake)], check=True)
        self.save("in.npy", np.arange(100_000, dtype="f4"))
        self.refused(self.ferry("run", DOUBLE, *IN_OUT, "--chunk", 4000, "--engine", "./lossy.so"), 7, "of 100 (rows")
        os.mkdir(self.path("out"))
        for i in range(30):
            self.save(f"{i:02}.npy", np.ones(10, "f4"))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=[0-9]*.npy", "--save", "data=out/{name}", "--engine", "./lossy.so"), 7,
                     "of 30)")
        made = sorted(os.listdir(self.path("out")))
        self.assertEqual(made, [f"{i:02}.npy" for i in range(len(made))])
        self.assertGreater(len(made), 0)


class EachTest(FerryTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        os.mkdir(self.path("out"))

    def made(self):
        return sorted(os.listdir(self.path("out")))


class ManyFiles(EachTest):
    def test_twenty_files_of_different_shapes(self):
        lengths = [(i * 7919) % 5000 + 1 for i in range(20)]
        for i, length in enumerate(lengths):
            self.save(f"in/f{i:02}.npy", (np.arange(length) + i).astype("f4").reshape(-1, 1 if i % 3 else length))
        for engine in ENGINES:
            result = self.works(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=out/{stem}-2.npy", "--json",
                                           engine=engine))
            self.assertEqual(result.json()["files"], 20)
            self.assertEqual(self.made(), [f"f{i:02}-2.npy" for i in range(20)])
            for i in range(20):
                wanted, out = self.load(f"in/f{i:02}.npy") * 2, self.load(f"out/f{i:02}-2.npy")
                self.assertEqual(out.shape, wanted.shape)
                self.assertTrue(np.array_equal(out, wanted))
                os.remove(self.path(f"out/f{i:02}-2.npy"))

    def test_several_go_together_by_stem(self):
        os.mkdir(self.path("y"))
        for i in range(5):
            self.save(f"in/{i}.npy", np.arange(100 * (5 - i), dtype="f4"))
            self.save(f"y/{i}.npy", np.full(100 * (5 - i), i, "f4"))
        for engine in ENGINES:
            self.works(self.ferry("run", SAXPY, "--each", "x=in/*.npy", "--each", "y=y/*.npy", "--set", "params.scale=3", "--save",
                                  "y=out/{name}", engine=engine))
            for i in range(5):
                self.assertTrue(np.array_equal(self.load(f"out/{i}.npy"), np.arange(100 * (5 - i), dtype="f4") * 3 + i))

    def test_each_file_has_zeros_and_tables_of_its_own(self):
        wgsl = ("@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
                "@group(0) @binding(1) var<storage, read_write> sum: array<atomic<u32>>;\n"
                "@group(0) @binding(2) var<storage, read_write> seen: array<u32>;\n"
                "@group(0) @binding(3) var<storage, read> table: array<u32>;\n" + MAIN +
                "if (id.x < arrayLength(&x)) { atomicAdd(&sum[0], u32(x[id.x]) + table[0]); }\n"
                "if (id.x == 0u) { seen[0] += 1u; seen[1] = arrayLength(&x); } }")
        self.save("seen.npy", np.array([40, 0], "u4"))
        self.save("table.npy", np.array([2], "u4"))
        self.write("shader.wgsl", wgsl)
        for i in range(8):
            self.save(f"in/{i}.npy", np.full(1000 + 100 * (i % 3), i, "f4"))
        for engine in ENGINES:
            self.works(self.ferry("run", "shader.wgsl", "--each", "x=in/*.npy", "--zero", "sum=u32[1]", "--load", "seen=seen.npy",
                                  "--load", "table=table.npy", "--save", "sum=out/{stem}.npy", "--save", "seen=out/{stem}s.npy",
                                  engine=engine))
            for i in range(8):
                length = 1000 + 100 * (i % 3)
                self.assertEqual(self.load(f"out/{i}.npy").tolist(), [length * (i + 2)])
                self.assertEqual(self.load(f"out/{i}s.npy").tolist(), [41, length])

    def test_results_are_as_long_as_each_input(self):
        self.write("shader.wgsl", SQUARES)
        for i in range(4):
            self.save(f"in/{i}.npy", np.arange(50 * (i + 1), dtype="f4"))
        for engine in ENGINES:
            self.works(self.ferry("run", "shader.wgsl", "--each", "x=in/?.npy", "--zero", "y=u32[]", "--save", "y=out/{stem}.npy",
                                  engine=engine))
            for i in range(4):
                self.assertTrue(np.array_equal(self.load(f"out/{i}.npy"), np.arange(50 * (i + 1)) ** 2))

    def test_images(self):
        for i in range(4):
            self.save(f"in/{i}.npy", np.random.default_rng(i).integers(0, 256, (10 + 3 * i, 20 + i, 4), "u1"))
        for engine in ENGINES:
            self.works(self.ferry("run", os.path.join(EXAMPLES, "identity.wgsl"), "--each", "in=in/*.npy", "--save",
                                  "out=out/{stem}.npy", "--save", "out=out/{stem}.png", engine=engine))
            for i in range(4):
                self.assertTrue(np.array_equal(self.load(f"out/{i}.npy"), self.load(f"in/{i}.npy")))
        # the images that came out, through --each again
        self.works(self.ferry("run", os.path.join(EXAMPLES, "identity.wgsl"), "--each", "in=out/*.png", "--save", "out=in/{stem}-2.npy",
                              engine="dawn"))
        for i in range(4):
            self.assertTrue(np.array_equal(self.load(f"in/{i}-2.npy"), self.load(f"in/{i}.npy")))

    def test_a_table_from_standard_input_is_read_once(self):
        self.save("table.npy", np.arange(10, dtype="f4"))
        with open(self.path("table.npy"), "rb") as file:
            content = file.read()
        for i in range(4):
            self.save(f"in/{i}.npy", np.full(10, i, "f4"))
        arguments = ("--set", "params.scale=1", "--save", "y=out/{name}")
        self.works(self.ferry("run", SAXPY, "--load", "x=-", "--each", "y=in/*.npy", *arguments, engine="dawn", stdin=content))
        for i in range(4):
            self.assertTrue(np.array_equal(self.load(f"out/{i}.npy"), np.arange(10, dtype="f4") + i))
        self.refused(self.ferry("run", SAXPY, "--load", "y=-", "--each", "x=in/*.npy", *arguments, engine="dawn", stdin=content), 2,
                     "standard input is read once")


class BadFiles(EachTest):
    def test_no_match(self):
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=out/{stem}.npy"), 3, "No file matches in/*.npy")
        self.refused(self.ferry("run", DOUBLE, "--each", "in/*.npy"), 2, "NAME=VALUE", "data='in/*.npy'")

    def test_one_place_for_two_results(self):
        for name in ("a.npy", "b.npy", "a.npz"):
            self.save("in/x.npy", np.ones(3, "f4"))
            os.rename(self.path("in/x.npy"), self.path("in/" + name))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=out/y.npy"), 2, "in/a.npy", "in/b.npy", "{stem}")
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*", "--save", "data=out/{stem}.npy"), 2, "in/a.npy", "in/a.npz",
                     "out/a.npy")
        os.rename(self.path("in/a.npz"), self.path("in/aa.npy"))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=in/a{stem}.npy"), 2, "in/aa.npy",
                     "is an input")
        self.assertEqual(self.made(), [])

    def test_files_without_partners(self):
        for name in ("in/a", "in/b", "a", "c"):
            self.save(name + ".npy", np.ones(3, "f4"))
        self.refused(self.ferry("run", SAXPY, "--each", "x=in/*.npy", "--each", "y=[ac].npy", "--save", "y=out/{stem}.npy"), 2,
                     "none for in/b.npy")
        self.refused(self.ferry("run", SAXPY, "--each", "x=in/a.npy", "--each", "y=[ac].npy", "--save", "y=out/{stem}.npy"), 2,
                     "(1)", "(2)")

    def test_not_with_a_stream(self):
        self.save("in/a.npy", np.ones(3, "f4"))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--stream", "data"), 2, "Both --each and --stream")

    def test_a_bad_file_ends_the_run_and_those_before_it_stay(self):
        for i in range(9):
            self.save(f"in/{i}.npy", np.full(1000, i, "f4"))
        self.save("in/5.npy", np.full(9, 5, "f8"))
        for engine in ENGINES:
            self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=out/{name}", engine=engine), 2,
                         "in/5.npy", "file 6 of 9", "astype")
            self.assertEqual(self.made(), [f"{i}.npy" for i in range(5)])
            for i in range(5):
                self.assertTrue((self.load(f"out/{i}.npy") == 2 * i).all())
                os.remove(self.path(f"out/{i}.npy"))

    def test_ctrl_c_keeps_the_files_that_are_done(self):
        for i in range(2000):
            self.save(f"in/{i:04}.npy", np.full(1000, i, "f4"))
        process = subprocess.Popen([PROGRAM, "run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=out/{name}"], cwd=self.folder,
                                   stderr=subprocess.PIPE, env=self.environment("dawn"))
        while process.poll() is None and not self.made():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        self.assertEqual(process.wait(20), 130, said)
        self.assertIn(b"files that were done", said)
        process.stderr.close()
        self.assertLess(len(self.made()), 2000)
        for i, name in enumerate(self.made()):
            self.assertEqual(name, f"{i:04}.npy")
            self.assertTrue((self.load("out/" + name) == 2 * i).all())

    def test_a_folder_that_is_missing(self):
        self.save("in/a.npy", np.ones(3, "f4"))
        self.refused(self.ferry("run", DOUBLE, "--each", "data=in/*.npy", "--save", "data=no/{name}", engine="dawn"), 3, "mkdir -p no")


if __name__ == "__main__":
    unittest.main()
