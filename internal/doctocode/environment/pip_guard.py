"""Runs the pip found in the folder argv[1] so that no package's own code is
ever run: whatever would build a package is refused."""
import importlib.machinery
import os
import sys

PIP = sys.argv.pop(1)


class PipFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "pip":
            return importlib.machinery.PathFinder.find_spec(name, [os.path.dirname(PIP)], target)
        return None


sys.meta_path.insert(0, PipFinder)

from pip._internal.distributions.sdist import SourceDistribution
from pip._internal.exceptions import InstallationError


def refuse(self, *args, **kwargs):
    raise InstallationError("there is no wheel of %s, and building it would run its code" % self.req.name)


if not hasattr(SourceDistribution, "prepare_distribution_metadata"):
    sys.exit("this pip builds packages in a way that cannot be refused; use another version of pip")
SourceDistribution.prepare_distribution_metadata = refuse
