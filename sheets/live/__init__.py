"""Push changes of a table or a sheet to the pages that show it: either the changed pieces or a new change token.

A separate process serves the streams (`stream`); nothing else in the program imports this room. It learns of changes
from the database (`feed`), runs the page's own query for each watcher (`topics`) and sends news to the watchers whose
page has changed (`watchers`). For a table it sends the pieces that a press has changed (`stage.broadcast`) if the
events describe the whole change. Pages also poll, so without this process they are updated later.
"""
