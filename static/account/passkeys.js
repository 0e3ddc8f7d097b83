// A form with data-passkey is sent with what the browser answers to its options: a new passkey ("create"), or the use of
// one ("get"). Options that are not in the page are asked for. What goes wrong is said below the button.
const asked = async (form) => JSON.parse(form.dataset.options || await (await fetch(form.action, {
  headers: { Accept: "application/json" },
})).text());

const answered = async (kind, { publicKey }) => {
  if (kind === "get") {
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  }
  // It must be able to sign in by itself.
  const authenticatorSelection = {
    ...publicKey.authenticatorSelection, residentKey: "required", requireResidentKey: true, userVerification: "required",
  };
  return navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON({ ...publicKey, authenticatorSelection }),
  });
};

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const refused = form.querySelector("[role=alert]");
    refused.hidden = true;
    try {
      const options = await asked(form);
      form.elements.credential.value = JSON.stringify(
        await answered(form.dataset.passkey, options.request_options ?? options.creation_options));
      form.submit();
    } catch {
      refused.hidden = false;
    }
  });
}
