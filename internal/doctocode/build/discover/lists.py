"""Lists as setup.cfg, setup.py and tox write them."""


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def pairs(lines):
    return dict(tuple(p.strip() for p in line.split("=", 1)) for line in lines if "=" in line)


def strings(value):
    if isinstance(value, str):
        return lines_of(value)
    return [v for v in value if isinstance(v, str)] if isinstance(value, (list, tuple)) else []
