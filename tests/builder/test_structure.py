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


CONNECTING = {"aiohttp", "ftplib", "http.client", "httpx", "imaplib", "poplib", "requests", "smtplib", "socket", "ssl",
              "urllib.request", "urllib3", "xmlrpc.client"}
CONNECTS = {
    ("builder/cli.py", "http.client"): "asks the server on this machine whether it is ready",
    ("builder/streams.py", "http.client"): "passes a developer's page on to the streams on this machine",
    ("sheets/outbox/connect.py", "socket"): "sends to addresses that people gave",
    ("sheets/outbox/connect.py", "ssl"): "the same",
    ("sheets/separate_process.py", "socket"): "talks with the process beside, over a pair of sockets",
}
"""{(file, module): the reason why it may open connections}; mails go by Django's own."""


def test_no_other_code_opens_connections():
    found = {(path.relative_to(settings.BASE_DIR).as_posix(), module) for folder in ("builder", "sheets", "rulesets")
             for path, module in files(folder) if module in CONNECTING and "tests" not in path.parts}
    assert found == set(CONNECTS)
