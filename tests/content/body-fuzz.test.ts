import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckedBody, Compiled } from '../../src/domain/content/body/body.ts';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';
import { renderHtml } from '../../src/domain/content/body/render-body.ts';
import { Random } from '../segments/random.ts';
import { seed, volume } from '../support/volume.ts';
import { allBad, allGood, asWritten } from './bodies.ts';
import { hostileValues } from './hostile-values.ts';
import { wrongWithOutput } from './judge-output.ts';
import { mutateBody } from './mutate-bodies.ts';

const howMany = volume(24_000);
const values = hostileValues.filter((value) => value.length < 1_000);

interface Case {
  readonly source: string;
  readonly body: CheckedBody;
}

const acceptedCases: Case[] = [];
let placesOutside = 0;
beforeAll(() => {
  const random = new Random(seed);
  const bad = allBad.filter((body) => body.length < 2_000);
  for (let count = 0; count < howMany; count++) {
    const source = mutateBody(random, allGood, bad);
    const check = checkHtml(source);
    if ('body' in check) {
      acceptedCases.push({ source, body: check.body });
      continue;
    }
    const lines = source.split(/\r\n|\r|\n/);
    const isInside = check.findings.every(
      ({ line, column }) => line <= lines.length && column <= lines[line - 1]!.length + 1,
    );
    if (check.findings.length === 0 || !isInside) placesOutside++;
  }
});

type Render = (pieces: Compiled, values: ReadonlyMap<string, string>) => string;

/** The first accepted body of which a renderer makes what must not be sent. */
function firstWrong(render: Render): string | undefined {
  const random = new Random(seed + 1);
  for (const { source, body } of acceptedCases) {
    const chosen = new Map(body.placeholders.map((name) => [name, random.pick(values)]));
    const wrong = wrongWithOutput(render(body.pieces, chosen));
    if (wrong !== undefined) return `${wrong}\n${JSON.stringify(source)}\n${JSON.stringify([...chosen])}`;
  }
  return undefined;
}

test('BOD-002 BOD-016 BOD-018 BOD-019 whatever is accepted renders to allowed elements, attributes and links only, by the parser of the standard', () => {
  expect(firstWrong(renderHtml), `seed ${seed}`).toBeUndefined();
});

test('a good share is accepted, and with placeholders in it', () => {
  const share = acceptedCases.length / howMany;
  const withPlaceholders = acceptedCases.filter(({ body }) => body.placeholders.length > 0).length / howMany;
  expect(share, `seed ${seed}`).toBeGreaterThan(0.15);
  expect(share, `seed ${seed}`).toBeLessThan(0.85);
  expect(withPlaceholders, `seed ${seed}`).toBeGreaterThan(0.05);
});

test('every finding stands within its body', () => {
  expect(placesOutside, `seed ${seed}`).toBe(0);
});

test('what was compiled is accepted again as it stands, and compiles to the same', () => {
  for (const { source, body } of acceptedCases) {
    expect(checkHtml(asWritten(body.pieces)), `seed ${seed}: ${JSON.stringify(source)}`).toEqual({ body });
  }
});

describe('the check can fail', () => {
  const outputs = [
    '<script>1</script>',
    '<p onclick="x">y</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="https://a@b.co/">x</a>',
    '<img src="http://a.co/x.png">',
    '<!-- x -->',
    '<p>x</p></td></tr></table><div>y</div>',
    '<div>x</div>',
    '<p><ul><li>x</li></ul></p><svg></svg>',
    '<tr><td>x</td></tr>',
    '<em><p>x</em>y</p><table>',
  ];
  test.each(outputs)('it finds %s', (output) => {
    expect(wrongWithOutput(`<p>before</p>${output}`)).toBeDefined();
  });

  test('it finds out a renderer that does not escape values', () => {
    const careless: Render = (pieces, chosen) =>
      pieces
        .map((piece) => {
          if (typeof piece === 'string') return piece;
          return 'text' in piece ? chosen.get(piece.text) : ` href="${chosen.get(piece.link)}"`;
        })
        .join('');
    expect(firstWrong(careless)).toBeDefined();
  });

  test('it finds out a renderer that escapes links and does not judge them', () => {
    const careless: Render = (pieces, chosen) =>
      pieces
        .map((piece) =>
          typeof piece === 'object' && 'link' in piece
            ? ` href="${chosen.get(piece.link)?.replaceAll(/["&<>]/g, '')}"`
            : renderHtml([piece], chosen),
        )
        .join('');
    expect(firstWrong(careless)).toMatch(/^the link/);
  });
});
