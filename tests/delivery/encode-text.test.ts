import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/domain/delivery/providers/smtp/encode-text.ts';
import { tries } from '../support/volume.ts';

/** A line of quoted-printable: what is encoded stands whole on it, and it may break softly. */
const line = /^(?:[ -<>-~]|=[\dA-F]{2})*=?$/;

const decoded = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

test('a link or a word of one copy is read back as it was, on lines of 76 that part no encoded sign', () => {
  const own = fc.oneof(
    fc.string({ unit: fc.constantFrom('=', 'a', ' ', '"'), maxLength: 400, size: 'max' }),
    fc.webUrl({ withQueryParameters: true, size: 'large' }).map((url) => ` href="${url}"`),
  );
  fc.assert(
    fc.property(own, (text) => {
      const { encoding, encoded } = encodeText({ fixed: ['<a', '>here</a>'], own: [text] });
      expect(encoding).toBe('quoted-printable');
      for (const one of encoded.split('\r\n')) {
        expect(one.length).toBeLessThanOrEqual(76);
        expect(one).toMatch(line);
      }
      expect(decoded(encoded)).toBe(`<a${text}>here</a>`);
    }),
    tries(1_500),
  );
});
