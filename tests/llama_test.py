"""nrs baseline llm against a real llama.cpp engine, with a tiny model of random weights: what it says is noise, but all of it
must be asked, recorded and counted. Skipped unless NRS_LLAMA names a folder in which this was run:
  npm install --omit=optional --ignore-scripts node-llama-cpp @node-llama-cpp/linux-x64"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tiny_gguf
from cli_test import NRS

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(os.environ.get("NRS_LLAMA", "/nonexistent"))
READY = shutil.which("node") and (FOLDER / "node_modules" / "node-llama-cpp").exists()


@unittest.skipUnless(READY, "no node-llama-cpp; see above")
class Llama(unittest.TestCase):
    def test_a_run_a_resumed_run_and_a_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            gguf, record = pathlib.Path(folder) / "tiny.gguf", pathlib.Path(folder) / "record.jsonl"
            tiny_gguf.write(gguf)
            server = subprocess.Popen(["node", HERE / "llama_server.mjs", FOLDER, gguf], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
            try:
                port = server.stdout.readline().strip()
                asked = self.run_nrs("--endpoint", "http://127.0.0.1:%s/v1" % port, "--model", "tiny", "--domain",
                                     "listops", "--nesting", "1-2", "--count", "6", "--protocol", "self-consistency",
                                     "--samples", "3", "--field", "max_tokens=24", "--record", record, "--parallel", "2")
            finally:
                server.stdin.close()
                server.wait(timeout=20)
                server.stdout.close()
            self.assertEqual((asked["formulas"], asked["failed"], asked["requests"]), (12, 0, 72))
            self.assertTrue(72 < asked["completion_tokens"] <= 72 * 24)
            contents = {json.loads(json.loads(line)["reply"])["choices"][0]["message"]["content"]
                        for line in record.read_text().splitlines()[1:]}
            self.assertGreater(len(contents), 60)  # the engine draws, it does not repeat itself
            replayed = self.run_nrs("--replay", record)
            self.assertEqual(asked["levels"], replayed["levels"])
            print(*("%s %s" % (key, asked[key]) for key in ("correct", "wrong", "unparsed", "completion_tokens")))

    def run_nrs(self, *arguments):
        done = subprocess.run([NRS, "baseline", "llm", "--json", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
