// The only script of these pages: passkeys cannot be used without one. Everything else works when it does not run.

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function showPasskey() {
  const { challenge, host } = await (await fetch('/sign-in/passkey')).json();
  const { rawId, response } = await navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId: host, userVerification: 'required' },
  });
  return {
    credential_id: textOf(rawId),
    user_handle: textOf(response.userHandle ?? new ArrayBuffer(0)),
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

async function makePasskey({ options }) {
  const { challenge, host, handle, email, algorithms, known } = JSON.parse(options);
  const { response } = await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(challenge),
      rp: { id: host, name: 'Rostrum' },
      user: { id: bytesOf(handle), name: email, displayName: email },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      excludeCredentials: known.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
    },
  });
  return {
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.getAuthenticatorData()),
    public_key: textOf(response.getPublicKey()),
  };
}

async function fill(form, note, act) {
  note.hidden = true;
  try {
    for (const [name, value] of Object.entries(await act(form.dataset))) form.elements[name].value = value;
    form.submit();
  } catch (error) {
    note.textContent =
      error.name === 'InvalidStateError'
        ? 'This device has a passkey of your account already.'
        : 'The browser gave no passkey. Try again.';
    note.hidden = false;
  }
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (globalThis.PublicKeyCredential === undefined) break;
  form.hidden = false;
  document.querySelector('#no-passkeys')?.remove();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const act = form.dataset.passkey === 'make' ? makePasskey : showPasskey;
    void fill(form, form.querySelector('[role=alert]'), act);
  });
}
