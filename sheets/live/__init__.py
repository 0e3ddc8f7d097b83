"""Push what happens at a table or to a sheet to whoever watches: the pieces of a page, or that there is news.

A process of its own holds the watchers' streams (`stream`); nothing else of the program imports this room. It hears of
news from the database (`feed`), asks for each watcher what the page itself would ask (`topics`), and tells those for
whom there is something new (`watchers`). Of a table it sends the pieces that a press has changed (`stage.broadcast`),
where events tell all of that. Pages ask now and then by themselves, too: without it they learn later.
"""
