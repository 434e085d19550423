"""Writes a file that a document shows. usage: extract_doc_file.py DOCUMENT.md NAME OUTPUT

The file is the ```cpp block whose first line is `// NAME`.
"""
import pathlib
import re
import sys

FENCE = re.compile(r"^```cpp\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def main() -> int:
    document, name, output = sys.argv[1:]
    for block in FENCE.findall(pathlib.Path(document).read_text(encoding="utf-8")):
        if block.startswith(f"// {name}\n"):
            pathlib.Path(output).write_text(block, encoding="utf-8")
            return 0
    print(f"{document} has no block of cpp that starts with `// {name}`")
    return 1


if __name__ == "__main__":
    sys.exit(main())
