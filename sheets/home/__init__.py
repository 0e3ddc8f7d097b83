"""The home page of a signed-in user: what is going on, what waits for them, their latest characters, their parties."""
