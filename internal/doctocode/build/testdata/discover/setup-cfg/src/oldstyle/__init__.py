raise RuntimeError("discovery must not import the repository")
__version__ = "2.0.1"
