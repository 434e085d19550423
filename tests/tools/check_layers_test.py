"""check_layers catches each kind of bad include and accepts each kind of good one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers"
GOOD = {
    "cmake/layers.txt": "base:\ntypes: base\ncore: types\nops: core\n",
    "include/calx/calx.h": '#include "calx/core/tensor.h"\n#include "calx/ops.h"\n',
    "include/calx/ops.h": '#include "calx/core/tensor.h"\n',
    "include/calx/base/error.h": "#include <string>\n",
    "include/calx/types/dim.h": '#include "calx/base/error.h"\n',
    "include/calx/core/tensor.h": '#include "calx/types/dim.h"\n#include "calx/base/error.h"\n',
    "src/base/private.h": "\n",
    "src/core/node.h": "\n",
    "src/core/detail/rule.h": '#include "node.h"\n',
    "src/core/node.cc": '#include "node.h"\n#include "detail/rule.h"\n#include "calx/core/tensor.h"\n',
    "src/ops/add.cc": '#include "calx/ops.h"\n',
    "tools/calx/run.h": "\n",
    "tools/calx/main.cc": '#include "run.h"\n#include "calx/calx.h"\n',
}


def run(**changes):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **changes}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


class CheckLayers(unittest.TestCase):
    def expect(self, message, name, text):
        code, output = run(**{name: text})
        self.assertEqual(code, 1, output)
        self.assertIn(f"{name}:1: {message}", output)

    def test_accepts_allowed_includes(self):
        code, output = run()
        self.assertEqual(code, 0, output)

    def test_upward_include(self):
        self.expect("types -> core is not an arrow", "src/types/dim.cc", '#include "calx/core/tensor.h"\n')

    def test_upward_include_in_public_header(self):
        self.expect("base -> types is not an arrow", "include/calx/base/hash.h", '#include "calx/types/dim.h"\n')

    def test_core_includes_ops(self):
        self.expect("core -> ops is not an arrow", "src/core/x.cc", '#include "calx/ops.h"\n')

    def test_layer_includes_umbrella(self):
        self.expect("ops includes the umbrella", "src/ops/x.cc", '#include "calx/calx.h"\n')

    def test_private_header_of_another_layer(self):
        self.expect('"../base/private.h" is not a private header of core', "src/core/x.cc",
                    '#include "../base/private.h"\n')
        self.expect('"base/private.h" is not a private header of core', "src/core/x.cc", '#include "base/private.h"\n')

    def test_public_header_includes_private(self):
        self.expect("a public header includes the private header", "include/calx/core/x.h", '#include "node.h"\n')

    def test_tool_includes_private(self):
        self.expect('"../../src/core/node.h" is not a private header of tools', "tools/calx/x.cc",
                    '#include "../../src/core/node.h"\n')

    def test_missing_header(self):
        self.expect("there is no include/calx/core/gone.h", "src/core/x.cc", '#include "calx/core/gone.h"\n')

    def test_unknown_layer(self):
        self.expect("extra is not a layer", "src/extra/x.cc", "\n")

    def test_angle_brackets(self):
        self.expect('write "calx/base/error.h"', "src/core/x.cc", "#include <calx/base/error.h>\n")


if __name__ == "__main__":
    unittest.main()
