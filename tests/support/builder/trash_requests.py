"""Into the trash and out of it again, as somebody's browser asks for it, for tests."""

TRASH = "/sheets/trash/"


def throw(client, sheet):
    assert client.post(f"/drafts/{sheet.pk}/", {"do": "delete"})["Location"] == TRASH


def bring(client, sheet):
    return client.post(TRASH, {"do": f"restore:{sheet.pk}"})
