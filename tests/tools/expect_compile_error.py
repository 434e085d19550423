"""Compiles a file that must not compile. usage: expect_compile_error.py FILE -- COMPILER FLAGS...

The first line of FILE is `// EXPECT: regex`; the compiler must fail and its output must match.
"""
import re
import subprocess
import sys


def main() -> int:
    file, separator, *command = sys.argv[1:]
    assert separator == "--", __doc__
    with open(file, encoding="utf-8") as source:
        first = source.readline()
    expected = re.match(r"// EXPECT: (.+)$", first)
    if not expected:
        print(f"{file}:1: the first line must be `// EXPECT: regex`")
        return 1
    result = subprocess.run([*command, file], capture_output=True, text=True)
    if result.returncode == 0:
        print(f"{file}: compiles, but must not")
        return 1
    if not re.search(expected.group(1), result.stderr):
        print(f"{file}: fails to compile, but no message matches /{expected.group(1)}/:\n{result.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
