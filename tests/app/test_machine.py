# SPDX-License-Identifier: MIT
"""ferry devices and ferry doctor, and the help."""
import json
import os
import re
import stat
import unittest

from ferry_program import DRIVERS, ENGINES, FerryTest

LAVAPIPE_22 = "lavapipe of Mesa 22.3"


class Devices(FerryTest):
    def test_lists_engines_and_adapters(self):
        result = self.works(self.ferry("devices"))
        self.assertEqual(result.err, "")  # what engines print while they start is held back
        said = result.out.decode()
        for word in ("wgpu-native", "Dawn", "cpu", "Vulkan", "max buffer"):
            self.assertIn(word, said)
        self.assertLessEqual(max(len(line) for line in said.splitlines() if ".so" not in line), 100)

    def test_as_json(self):
        for engine in self.on_both_engines():
            engines = self.works(self.ferry("devices", "--json", "--engine", engine, engine=engine)).json()["engines"]
            self.assertEqual(len(engines), 1)
            self.assertTrue(os.path.exists(engines[0]["path"]))
            adapter = next(each for each in engines[0]["adapters"] if each["usable"])
            self.assertEqual(adapter["index"], engines[0]["adapters"].index(adapter))
            self.assertGreaterEqual(adapter["limits"]["max_buffer_size_bytes"], 256 << 20)

    def test_no_engine(self):
        nothing = {"FERRY_WGPU_PATH": "/nonexistent", "FERRY_DAWN_PATH": "/nonexistent", "FERRY_FAKE_PATH": "/nonexistent"}
        self.refused(self.ferry("devices", **nothing), 3, "No WebGPU engine")


class Doctor(FerryTest):
    def test_names_engines_drivers_and_verdicts(self):
        health = self.works(self.ferry("doctor", "--json")).json()
        self.assertTrue(health["usable"])
        by_engine = {each["asked"]: each for each in health["engines"]}
        for engine in ENGINES:
            verdicts = {each["file"]: each for each in by_engine[engine]["drivers"]}
            self.assertEqual(verdicts[DRIVERS[engine]]["verdict"], "works", verdicts)
        self.assertGreater(len(by_engine["wgpu"]["defects_worked_around"]), 3)
        self.check_refusal(by_engine["dawn"]["drivers"])
        self.check_remark(by_engine["wgpu"]["drivers"])

    def check_refusal(self, drivers):
        """Dawn and lavapipe: works, or is refused for the known reason with the cure."""
        lavapipe = next(each for each in drivers if "lvp_icd" in each["file"])
        if lavapipe["verdict"] != "works":
            self.assertEqual(lavapipe["verdict"], "refused")
            self.assertIn(LAVAPIPE_22, lavapipe["detail"])
            self.assertIn("chromium-common", lavapipe["cure"])

    def check_remark(self, drivers):
        """Each remark is about the loops that lavapipe cuts short."""
        for each in drivers:
            self.assertIn("65535 rounds" if "remark" in each else "", each.get("remark", ""))

    def test_in_words(self):
        said = self.works(self.ferry("doctor")).out.decode()
        for word in ("works", "Dawn", "wgpu-native", "This machine is usable"):
            self.assertIn(word, said)
        self.assertLessEqual(max(len(line) for line in said.splitlines() if ".so" not in line), 100)

    def test_no_driver(self):
        result = self.ferry("doctor", VK_DRIVER_FILES="/nonexistent")
        self.refused(result, 4, "No Vulkan driver", "mesa-vulkan-drivers", "libvulkan1", "the file does not exist")
        self.assertFalse(self.ferry("doctor", "--json", VK_DRIVER_FILES="/nonexistent").json()["usable"])

    def test_no_engine(self):
        nothing = {"FERRY_WGPU_PATH": "/nonexistent", "FERRY_DAWN_PATH": "/nonexistent"}
        self.refused(self.ferry("doctor", **nothing), 4, "No WebGPU engine", "tools/setup", "/nonexistent")

    def test_broken_driver_files(self):
        self.write("empty.json", "")
        self.write("lost.json", json.dumps({"ICD": {"library_path": "./nothing.so", "api_version": "1.3"}}))
        files = ":".join([self.path("empty.json"), self.path("lost.json"), DRIVERS["dawn"]])
        drivers = self.works(self.ferry("doctor", "--json", "--engine", "dawn", VK_DRIVER_FILES=files)).json()["engines"][0]
        self.assertEqual([each["verdict"] for each in drivers["drivers"]], ["broken", "broken", "works"])

    def test_a_driver_that_crashes_or_hangs_is_named(self):
        source = self.write("bad.c", """
            #include <stdlib.h>
            #include <unistd.h>
            __attribute__((constructor)) static void start(void) { if (getenv("HANG")) sleep(60); abort(); }""")
        if os.system(f"cd {self.folder} && cc -shared -fPIC -o libbad.so {source}") != 0:
            self.skipTest("no C compiler")
        self.write("bad.json", json.dumps({"file_format_version": "1.0.0",
                                           "ICD": {"library_path": "./libbad.so", "api_version": "1.3.0"}}))
        for verdict, hang in (("crashed", {}), ("hung", {"HANG": "1"})):
            result = self.ferry("doctor", "--json", "--engine", "dawn", "--limit", "2", VK_DRIVER_FILES=self.path("bad.json"),
                                **hang)
            self.assertEqual((result.code, result.json()["usable"]), (4, False))
            self.assertEqual(result.json()["engines"][0]["drivers"][0]["verdict"], verdict)


class Help(FerryTest):
    def test_is_there_for_all_and_fits(self):
        for arguments in (["--help"], ["run", "--help"], ["devices", "--help"], ["doctor", "--help"]):
            said = self.works(self.ferry(*arguments)).out.decode()
            self.assertIn("--json", said)
            self.assertNotIn("probe", said)
            self.assertLessEqual(max(len(line) for line in said.splitlines()), 100)

    def test_lists_the_exit_codes(self):
        said = self.works(self.ferry("--help")).out.decode()
        for code in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130):
            self.assertRegex(said, re.compile(rf"^ +{code}  \w", re.MULTILINE))

    def test_version(self):
        self.assertRegex(self.works(self.ferry("--version")).out.decode(), r"^ferry \d+\.\d+\.\d+\n$")

    def test_a_private_runtime_folder_is_made_and_removed(self):
        os.mkdir(self.path("tmp"))
        result = self.ferry("devices", TMPDIR=self.path("tmp"), XDG_RUNTIME_DIR="")
        self.works(result)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertTrue(stat.S_ISDIR(os.stat(self.path("tmp")).st_mode))


if __name__ == "__main__":
    unittest.main()
