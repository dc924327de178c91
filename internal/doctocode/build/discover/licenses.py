"""The licence that metadata states."""


def license_of(value):
    if isinstance(value, dict):
        value = value.get("text") or ""
    return value.strip().splitlines()[0].strip() if isinstance(value, str) and value.strip() else ""


def from_classifiers(classifiers):
    for c in classifiers if isinstance(classifiers, (list, tuple)) else []:
        if isinstance(c, str) and c.strip().startswith("License ::") and c.strip() != "License :: OSI Approved":
            return c.split("::")[-1].strip()
    return ""
