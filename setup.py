"""pip install: CMake builds the engine, which goes into the package with the libraries and headers
that it needs."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / "build" / "package"


class BuildEngine(build_ext):
    """`sources` of the extension are CMake's business."""

    def build_extension(self, ext):
        """Builds vinci_engine; $CMAKE_ARGS goes to CMake."""
        subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja",
                        f"-DPYTHON_EXECUTABLE={sys.executable}", "-DVINCI_LEVELS=ALL",
                        *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "vinci_engine"], check=True)
        package = pathlib.Path(self.get_ext_fullpath(ext.name)).parent
        package.mkdir(parents=True, exist_ok=True)
        for module in (BUILD / "python" / "vinci").glob("_engine*.so"):
            shutil.copy2(module, package)
        # libvinci.so, and those for better hosts, which the loader finds beside it; libvinci_launch.so.
        shutil.copytree(BUILD / "lib", package, dirs_exist_ok=True)
        shutil.copytree(BUILD / "include", package / "include", dirs_exist_ok=True)


VERSION = re.search(r"project\(vinci VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

setup(version=VERSION, ext_modules=[Extension("vinci._engine", sources=[])],
      cmdclass={"build_ext": BuildEngine})
