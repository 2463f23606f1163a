# SPDX-License-Identifier: MIT
"""ferry bench: what it prints."""
import json
import unittest

from ferry_program import FerryTest

PATHS = ["queue_whole", "queue_pieces", "pool", "mapped_at_creation", "chosen"]
SIZES = [4, 64, 1 << 10, 4 << 10, 16 << 10, 64 << 10]


class Paths(FerryTest):
    def lines(self, *arguments, engine):
        result = self.works(self.ferry("bench", "paths", "--json", *arguments, engine=engine))
        return [json.loads(line) for line in result.out.decode().splitlines()]

    def check(self, lines, sizes, call, engine):
        self.assertEqual([(line["bytes"], line["path"]) for line in lines],
                         [(size, path) for size in sizes for path in PATHS])
        for line in lines:
            self.assertEqual(line["call"], call)
            self.assertEqual(line["engine"], {"wgpu": "wgpu-native", "dawn": "Dawn"}[engine])
            self.assertTrue(line["adapter"])
            self.assertGreater(line["us"], 0)
            self.assertAlmostEqual(line["gb_per_s"] * line["us"] * 1e3 / line["bytes"], 1)
        for at, line in enumerate(lines):
            if line["path"] == "chosen":
                forced = {each["path"]: each["us"] for each in lines[at - 4:at]}
                self.assertIn(line["choice"], forced)
                self.assertAlmostEqual(line["of_best"], min(forced.values()) / line["us"])
                ratio = forced[line["choice"]] / line["us"]
                self.assertAlmostEqual(line["noise"], max(ratio, 1 / ratio) - 1)

    def test_every_path_of_every_size_as_json(self):
        for engine in self.on_both_engines():
            self.check(self.lines("--max", "64KiB", engine=engine), SIZES, "write", engine)

    def test_creation(self):
        for engine in self.on_both_engines():
            lines = self.lines("--create", "--max", "1kB", engine=engine)
            self.check(lines, [4, 64], "create_buffer", engine)

    def test_a_row_for_each_size(self):
        said = self.works(self.ferry("bench", "paths", "--max", "100", engine="wgpu")).out.decode()
        self.assertEqual([line.split()[:2] for line in said.splitlines()[3:5]], [["4", "bytes"], ["64", "bytes"]])
        for word in (*PATHS, "GB/s", "Noise", "wgpu-native"):
            self.assertIn(word, said)
        self.assertLessEqual(max(map(len, said.splitlines())), 100)

    def test_a_bad_size_is_refused(self):
        self.refused(self.ferry("bench", "paths", "--max", "much"), 2, '"much" is not a size', "--max")
        self.refused(self.ferry("bench", "paths", "--max", "3"), 2, "the smallest one is (4) bytes", "--max 4")
        self.refused(self.ferry("bench", "paths", "--max"), 2, "--max")


if __name__ == "__main__":
    unittest.main()
