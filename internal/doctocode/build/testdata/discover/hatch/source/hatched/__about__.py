__version__: str = "3.1"
