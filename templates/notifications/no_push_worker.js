// The site pushes nothing any more: this takes the place of the worker that showed it, and goes.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.registration.unregister()));
