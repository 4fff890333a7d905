import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairName } from '../../src/domain/content/variables/name-format.ts';
import { tries } from '../support/volume.ts';

describe('a name that was typed without care is repaired', () => {
  test.each([
    // the shift key the wrong way round, caps lock, none of both
    ['jOHN', 'John'],
    ['JOHN', 'John'],
    ['john', 'John'],
    ['j', 'J'],
    ['jOHN sMITH', 'John Smith'],
    ['jOHN SMITH', 'John Smith'],
    ['mCDONALD', 'McDonald'],
    // one word or part by caps lock, another without
    ['smith-JONES', 'Smith-Jones'],
    ['SMITH-jones', 'Smith-Jones'],
    ['van der BERG', 'van der Berg'],
    ['de VRIES', 'de Vries'],
    ['john SMITH', 'John Smith'],
    ['JOHN smith', 'John Smith'],
    ['john F kennedy', 'John F Kennedy'],
    ['smith IV', 'Smith IV'],
    ['JP smith', 'JP Smith'],
    ["d'angelo SMITH", "D'Angelo Smith"],
    // parts
    ["O'NEIL", "O'Neil"],
    ['o’neil', 'O’Neil'],
    ["D'ANGELO", "D'Angelo"],
    ["DELL'ACQUA", "Dell'Acqua"],
    ["N'GOLO", "N'Golo"],
    ["RA'ANAN", "Ra'anan"],
    ['MCDONALD', 'McDonald'],
    ['mcenroe', 'McEnroe'],
    ['MACHADO', 'Machado'],
    ['ANNE-MARIE', 'Anne-Marie'],
    ['jean‑luc', 'Jean‑Luc'],
    ['MCKAY-SMITH', 'McKay-Smith'],
    ['j.p. morgan', 'J.P. Morgan'],
    ['ST. JOHN', 'St. John'],
    ['smith, john', 'Smith, John'],
    ['JOHN SMITH III', 'John Smith III'],
    ['john smith jr', 'John Smith Jr'],
    // small words
    ['van der berg', 'van der Berg'],
    ['VAN DER BERG', 'van der Berg'],
    ['jan van der berg', 'Jan van der Berg'],
    ['MARIA DE LA CRUZ', 'Maria de la Cruz'],
    ['DOS SANTOS', 'dos Santos'],
    ["JAN 'T HOOFT", "Jan 't Hooft"],
    ['VON', 'Von'],
    ['la toya', 'La Toya'],
    // letters beyond ASCII
    ['WEIß', 'Weiß'],
    ['WEIẞ', 'Weiß'],
    ['weiß', 'Weiß'],
    ['wEIß', 'Weiß'],
    ['ÉMILIE', 'Émilie'],
    ['øyvind', 'Øyvind'],
    ['ŁUKASZ', 'Łukasz'],
    ['JOSE\u0301', 'José'],
    ['NGUYỄN', 'Nguyễn'],
    ['İBRAHİM', 'İbrahim'],
    ['IĞDIR', 'Iğdır'],
    ['iğdır', 'İğdır'],
    ['ışık', 'Işık'],
    ['AYŞE', 'Ayşe'],
    // blanks
    ['  ADA \t LOVELACE\u00a0', 'Ada Lovelace'],
  ])('VAR-013 %j is written %j', (typed, written) => {
    expect(repairName(typed)).toBe(written);
  });
});

describe('a name that somebody wrote with care, or that cannot be judged, stays as it is', () => {
  test.each([
    'DiCaprio',
    'McDonald',
    "O'Neil",
    'van der Berg',
    'Van Der Berg',
    'John SMITH',
    'LaToya',
    'Ludwig van Beethoven',
    'IV',
    'John IV',
    'Henry Smith IV',
    'JP',
    'NG',
    'J.P.',
    'IŞIK', // Işık in Turkish, Işik in Romanian
    'ИВАН',
    'иван',
    'ΓΙΩΡΓΟΣ',
    '山田 太郎',
    'علي',
    'JOHN Иванов',
    'JOHN@EXAMPLE.COM',
    'X Æ A-12',
    'ada 🙂',
    '{{VAR_X}}',
    '\ufa19', // a form of a letter that its owner chose
  ])('VAR-013 %j', (name) => {
    expect(repairName(name)).toBe(name);
  });

  test('VAR-013 but for its blanks', () => {
    expect(repairName('  Ada   de\nVries ')).toBe('Ada de Vries');
    expect(repairName(' \t ')).toBe('');
    expect(repairName(' 山田   太郎 ')).toBe('山田 太郎');
  });
});

test('VAR-013 a given name begins with a capital, also with a word that is small in family names', () => {
  expect(repairName('van anh', 'given')).toBe('Van Anh');
  expect(repairName('DE ANDRE', 'given')).toBe('De Andre');
  expect(repairName('MARIA DE LOS ANGELES', 'given')).toBe('Maria de los Angeles');
});

describe('of any text at all', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-zA-ZßİıĞŞ'’.-]{0,12}( [a-zA-Z'-]{1,9}){0,3}$/),
  );

  test('VAR-013 repairing twice is repairing once', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('given' as const, 'family' as const), (typed, part) => {
        const once = repairName(typed, part);
        expect(repairName(once, part)).toBe(once);
      }),
      tries(30_000),
    );
  });

  test('VAR-013 only case and blanks change: nothing is added or lost', () => {
    const folded = (one: string) =>
      one
        .normalize('NFC')
        .replaceAll(/[İIıi]/g, 'i')
        .toUpperCase()
        .toLowerCase()
        .replaceAll(/\s+/g, ' ')
        .trim();
    fc.assert(
      fc.property(text, (typed) => {
        expect(folded(repairName(typed))).toBe(folded(typed));
      }),
      tries(30_000),
    );
  });
});
