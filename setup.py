"""What pyproject.toml cannot say: two data folders, man pages, and a kernel that may be absent.

`rulesets/` and `scenarios/` lie at the top of the repository and are installed inside the package;
the pages in `man/` are installed where `man` looks for them, beside the `bin` of the environment.
The kernel is built when its source, Cython and a C compiler are there; otherwise the package is a
pure one and works the same, only slower. `SNIFF_BUILD=pure` leaves the kernel out on purpose.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
DATA = ("rulesets", "scenarios")
KERNEL = "sniffcli/engine/_kernel.pyx"


def man_pages() -> list[tuple[str, list[str]]]:
    """Return the pages of each section with the directory that they go to."""
    return [
        (f"share/man/man{section}", sorted(map(str, Path("man").glob(f"*.{section}"))))
        for section in (1, 5, 7)
    ]


def notice(reason: object) -> None:
    first_line = (str(reason).strip() or type(reason).__name__).splitlines()[0]
    print(f"sniffcli: no native kernel, the Python one is used ({first_line})", file=sys.stderr)


def extensions() -> list[Extension]:
    if not (ROOT / KERNEL).exists():
        return []
    if os.environ.get("SNIFF_BUILD") == "pure":
        notice("SNIFF_BUILD=pure")
        return []
    try:
        from Cython.Build import cythonize

        kernel = Extension("sniffcli.engine._kernel", [KERNEL], extra_compile_args=["-O3"])
        return cythonize([kernel], language_level=3, build_dir="build/cython")
    except Exception as problem:
        notice(problem)
        return []


class BuildData(build_py):
    """Copy the data folders into the wheel; an editable install finds them in the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder in DATA:
            # An earlier build may have left files here that the checkout has no longer.
            shutil.rmtree(Path(self.build_lib, "sniffcli", folder), ignore_errors=True)
        for source, target in self.data_pairs():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def data_pairs(self) -> list[tuple[Path, Path]]:
        package = Path(self.build_lib, "sniffcli")
        return [
            (file, package / file.relative_to(ROOT))
            for folder in DATA
            for file in sorted((ROOT / folder).rglob("*"))
            if file.is_file()
        ]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs = super().get_outputs(include_bytecode)
        if self.editable_mode:
            return outputs
        return outputs + [str(target) for _, target in self.data_pairs()]


class BuildKernel(build_ext):
    """Build the kernel; a failure makes the wheel a pure one instead of stopping."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as problem:
            notice(problem)
            self.extensions = self.distribution.ext_modules = []
            wheel = self.distribution.command_obj.get("bdist_wheel")
            if wheel is not None:
                # Without this the tag would promise machine code that is not inside.
                wheel.root_is_pure = True


setup(
    ext_modules=extensions(),
    data_files=man_pages(),
    cmdclass={"build_py": BuildData, "build_ext": BuildKernel},
)
