const extended = '^{}\\[~]|€';

/** Texts at the edges of what fits one message, in both alphabets. */
export const bodies: Readonly<Record<string, string>> = {
  'one letter': '@',
  'every letter of GSM 03.38':
    '@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
  'the letters that count for two': extended,
  'exactly one message': 'x'.repeat(160),
  'one letter more than a message': 'x'.repeat(161),
  'exactly two parts': 'x'.repeat(306),
  'one letter more than two parts': 'x'.repeat(307),
  'an extended letter at the edge of a message': `${'x'.repeat(159)}€`,
  'an extended letter at the edge of a part': `${'x'.repeat(152)}{${'y'.repeat(152)}}${'z'.repeat(100)}`,
  'many extended letters': extended.repeat(30),
  'a letter that GSM 03.38 lacks': 'Çà va, garçon?',
  'quotes as phones write them': `“It’s time”, she said. ${'Really. '.repeat(12)}`,
  'exactly one message in UCS-2': 'ж'.repeat(70),
  'one letter more in UCS-2': 'ж'.repeat(71),
  'exactly two parts in UCS-2': 'ж'.repeat(134),
  'pictures at the edges': `${'a'.repeat(66)}😀${'b'.repeat(65)}😀 ${'c'.repeat(60)}👍🏽`,
  'ten parts': 'The quick brown fox jumps over the lazy dog. '.repeat(33),
};
