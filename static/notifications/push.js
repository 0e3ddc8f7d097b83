// A form with data-push asks the browser for the address at which it takes pushes, and is sent with it. What goes wrong
// is said below the button. A worker that the site has withdrawn goes once this page is open.
const SCOPE = "/push-worker/";
const worker = navigator.serviceWorker;

const subscribed = async (key) => {
  if (await Notification.requestPermission() !== "granted") {
    throw new Error("refused");
  }
  const registration = await worker.register("/push-worker.js", { scope: SCOPE });
  await new Promise((ready) => {
    const begun = registration.installing ?? registration.waiting;
    if (!begun || registration.active) {
      ready();
    } else {
      begun.addEventListener("statechange", () => begun.state === "activated" && ready());
    }
  });
  const old = await registration.pushManager.getSubscription();
  // One of another key, or of another account, is of no use.
  await old?.unsubscribe();
  return (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
};

worker?.getRegistration(SCOPE).then((found) => found?.update()).catch(() => {});

for (const form of document.querySelectorAll("form[data-push]")) {
  form.hidden = !(worker && "PushManager" in window && "Notification" in window);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const refused = form.querySelector("[role=alert]");
    refused.hidden = true;
    try {
      const { endpoint, keys } = await subscribed(form.dataset.push);
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch {
      refused.hidden = false;
    }
  });
}
