"""The values of Python expressions that are made of constants."""
import ast


def called(node):
    names = []
    f = node.func
    while isinstance(f, ast.Attribute):
        names.append(f.attr)
        f = f.value
    return ".".join(reversed(names + [f.id])) if isinstance(f, ast.Name) else ""


def constant(node, known):
    """The value of an expression made of constants and known names, else None."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        found = []
        for item in node.elts:
            value = constant(item.value if isinstance(item, ast.Starred) else item, known)
            found += list(value) if isinstance(item, ast.Starred) and isinstance(value, (list, tuple)) else [value]
        return [v for v in found if v is not None]
    if isinstance(node, ast.Dict):
        found = {}
        for key, value in zip(node.keys, node.values):
            value = constant(value, known)
            if key is None:
                found.update(value if isinstance(value, dict) else {})
            elif isinstance(constant(key, known), str) and value is not None:
                found[constant(key, known)] = value
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = constant(node.left, known), constant(node.right, known)
        if isinstance(left, list) or isinstance(right, list):
            return (left if isinstance(left, list) else []) + (right if isinstance(right, list) else [])
        return left + right if isinstance(left, str) and isinstance(right, str) else None
    if isinstance(node, ast.Subscript):
        base, key = constant(node.value, known), constant(node.slice, known)
        return base.get(key) if isinstance(base, dict) and isinstance(key, str) else None
    if isinstance(node, ast.Call) and called(node) == "dict":
        found = {k.arg: constant(k.value, known) for k in node.keywords if k.arg}
        return {k: v for k, v in found.items() if v is not None}
    return None


def assigned(text, variable):
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    known = {}
    for node in module.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                known[target.id] = constant(node.value, known)
    value = known.get(variable)
    if isinstance(value, list):
        value = ".".join(map(str, value))
    return value if isinstance(value, str) else ""
