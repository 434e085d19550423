"""Every public header compiles on its own, with a user's strict flags. usage: check_headers.py INCLUDE_DIR COMPILER FLAGS...

The precompiled header hides a missing include from the build; this does not use it.
"""
import concurrent.futures
import pathlib
import subprocess
import sys


def main() -> int:
    include, *command = sys.argv[1:]
    headers = sorted(path.relative_to(include).as_posix() for path in pathlib.Path(include).rglob("*.h"))

    def compile_alone(header):
        # Included twice: `#pragma once` is there, too.
        program = f'#include "{header}"\n#include "{header}"\n'
        result = subprocess.run([*command, "-fsyntax-only", f"-I{include}", "-x", "c++", "-"], input=program,
                                capture_output=True, text=True)
        return header, result

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for header, result in pool.map(compile_alone, headers):
            if result.returncode != 0:
                failures += 1
                print(f"{header} does not compile on its own:\n{result.stderr}")
    print(f"check_headers: {len(headers)} headers, {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
