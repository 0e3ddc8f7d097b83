"""What happens at a table or to a sheet is pushed to whoever watches: that there is news, not what it is.

A process of its own holds the watchers' streams (`stream`); nothing else of the program imports this room. It hears of
news from the database (`feed`), asks for each watcher what the page itself would ask (`topics`), and tells those for
whom there is something new (`watchers`). Pages ask now and then by themselves, too: without it they learn later.
"""
