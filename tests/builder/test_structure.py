import ast

from django.conf import settings


def imports(path):
    """Yield the dotted name of every module that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written out"
            yield node.module


def files(folder):
    return [(path, module) for path in sorted((settings.BASE_DIR / folder).rglob("*.py")) for module in imports(path)]


def test_no_system_knows_another():
    home = settings.BASE_DIR / "rulesets"
    systems = {path.name for path in home.iterdir() if path.is_dir() and path.name != "kit"}
    for path, module in files("rulesets"):
        own, others = path.relative_to(home).parts[0], systems
        imported = module.split(".")[1] if module.startswith("rulesets.") else ""
        assert imported not in others - {own}, f"{path} imports {module}"
