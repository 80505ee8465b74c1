"""The kernels for newer processors must not share a function with the rest of a program: the linker keeps one of
several functions of the same name, and an older processor would then meet instructions that it does not have.
ROOT is the project's folder, CXX its compiler, X86_64 not empty if that is what it compiles for."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])


@unittest.skipUnless(os.environ["X86_64"], "there is one copy only")
class Copies(unittest.TestCase):
    def names_in(self, source):
        """What other files could find in a source that is compiled for AVX-512, without optimisation: so no function is
        hidden because it was inlined. Names that the compiler makes up for itself are left out."""
        with tempfile.TemporaryDirectory() as folder:
            compiled = pathlib.Path(folder) / "copy.o"
            subprocess.run([os.environ["CXX"], "-std=c++20", "-O0", "-mavx2", "-mfma", "-mavx512f", "-w",
                            "-I", ROOT / "src", "-x", "c++", "-c", "-", "-o", compiled], input=source, text=True, check=True)
            listed = subprocess.run(["nm", "--defined-only", "--extern-only", "--format=just-symbols", compiled],
                                    capture_output=True, text=True, check=True).stdout.split()
            return [name for name in listed if name.startswith("_Z")]

    def test_everything_in_a_copy_is_in_its_namespace(self):
        for copy in ("avx2", "avx512"):
            names = self.names_in((ROOT / ("src/nn/kernels/%s.cc" % copy)).read_text())
            self.assertGreater(len(names), 50)
            self.assertEqual([name for name in names if "%d%s" % (len(copy), copy) not in name], [])

    def test_a_shared_function_would_be_found(self):
        names = self.names_in("#include <algorithm>\nfloat avx2(float x) { return std::max(x, 0.0F); }\n")
        self.assertIn("_ZSt3maxIfERKT_S2_S2_", names)


if __name__ == "__main__":
    unittest.main()
