"""run_doc_examples notices a wrong output and a program that does not compile. usage: run_doc_examples_test.py COMPILER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "run_doc_examples"
COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"
PROGRAM = '```cpp\n#include <cstdio>\nint main() { std::puts("one 1.25 two"); }\n```\n'


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        document = pathlib.Path(folder, "page.md")
        document.write_text(text, encoding="utf-8")
        result = subprocess.run([sys.executable, TOOL, document, "--", COMPILER], capture_output=True, text=True)
        return result.returncode, result.stdout


class RunDocExamples(unittest.TestCase):
    def test_equal_output(self):
        self.assertEqual(run(PROGRAM + "gives\n```text\none 1.25 two\n```\n"), (0, "page.md: 1 programs, 0 problems\n"))

    def test_ellipsis(self):
        self.assertEqual(run(PROGRAM + "```text\none … two\n```\n")[0], 0)

    def test_wrong_output(self):
        code, output = run(PROGRAM + "```text\nthree\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("page.md:1: expected\nthree\n", output)

    def test_does_not_compile(self):
        code, output = run("text\n\n```cpp\nint main() { return x; }\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("page.md:4:", output)

    def test_left_out(self):
        self.assertEqual(run("<!-- not run -->\n```cpp\nint main() { return x; }\n```\n```cpp\nf(x);\n```\n"),
                         (0, "page.md: 0 programs, 0 problems\n"))


if __name__ == "__main__":
    unittest.main()
