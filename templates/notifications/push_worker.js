// Shows what the site pushes, and opens it. It stands at an address of its own and controls no page.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, text, tag, lang, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body: text, tag, lang, data: url }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const asked = new URL(event.notification.data, self.location.origin);
  event.waitUntil(self.clients.openWindow(asked.origin === self.location.origin ? asked.href : "/"));
});
