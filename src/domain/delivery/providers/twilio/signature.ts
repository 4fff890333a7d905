import { createHmac } from 'node:crypto';
import { isSameText } from '../../../../kernel/same-text.ts';

/**
 * Whether Twilio signed this form for this address: HMAC-SHA1 with the account's token over the address and every
 * field, sorted by name. Twilio is inconsistent about whether the port is part of the address, so both forms are
 * accepted.
 */
export function isSignedByTwilio(
  authToken: string,
  signature: string | undefined,
  url: string,
  form: URLSearchParams,
): boolean {
  const names = [...new Set(form.keys())].toSorted();
  const fields = names.map((name) =>
    [...new Set(form.getAll(name))]
      .toSorted()
      .map((value) => name + value)
      .join(''),
  );
  return addressesOf(url).some((address) => {
    const expected = createHmac('sha1', authToken)
      .update(address + fields.join(''))
      .digest('base64');
    return isSameText(signature ?? '', expected);
  });
}

function addressesOf(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(url);
  const rest = url.slice(origin.length);
  const usual = protocol === 'https:' ? '443' : '80';
  return [`${protocol}//${hostname}${rest}`, `${protocol}//${hostname}:${port || usual}${rest}`];
}
