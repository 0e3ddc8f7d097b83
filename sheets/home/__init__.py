"""Home of somebody who is signed in: what goes on, what waits, whom they played last, their parties."""
