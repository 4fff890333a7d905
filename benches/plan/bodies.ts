import { parseFragment } from 'parse5';
import { checkBody } from '../../src/domain/content/body/check-body.ts';
import { tell } from '../support/command.ts';
import { atMost, told, type Figure } from '../support/figure.ts';
import { timesOf, type Times } from '../support/in-turns.ts';
import type { RestClient } from '../support/rest-client.ts';

const kilobyte = 1024;

/** An email body of about so many bytes, of everything a body may hold. */
export function longBody(bytes: number): string {
  const part =
    '<h2>A heading</h2><p>Some <strong>words</strong> of a <em>letter</em> for {{var_name}}, ' +
    'with <a href="https://example.com/read?more=1&amp;from=mail">a link</a>.</p><ul><li>one</li><li>two</li></ul>' +
    '<p><img src="https://example.com/picture.png" alt="A picture" width="600"></p><hr>';
  return part.repeat(Math.ceil(bytes / part.length)).slice(0, Math.floor(bytes / part.length) * part.length);
}

/** What is promised is milliseconds; where the machine may be a slow one, it is judged beside parse5 by itself. */
interface BodyBars {
  readonly besideParser?: number;
  readonly most?: number;
}

const within = (name: string, ms: number, bar: number | undefined): Figure =>
  bar === undefined ? told(name, ms) : atMost(name, ms, bar, 1);

/** A body of 100 KB: what checking and compiling it takes, and the whole call that drafts with it. */
export async function checkingBodies(service: RestClient, turns: number, bars: BodyBars): Promise<Figure[]> {
  tell('checking a body of 100 KB');
  const html = longBody(100 * kilobyte);
  const check = await timed(turns, async () => {
    if (!('body' in (await checkBody('a bench', 'html', html)))) throw new Error('the body was refused');
  });
  const call = await timed(turns, async () => {
    const { broadcast } = (await service.call('POST', '/v1/broadcasts', draft(html))) as {
      broadcast: { id: string };
    };
    return () => service.call('DELETE', `/v1/broadcasts/${broadcast.id}`);
  });
  const parser = await timed(turns, async () => void parseFragment(html));
  const beside = 'checking a body of 100 KB: ms at best, beside parse5';
  return [
    bars.besideParser === undefined
      ? told(beside, check.best, parser.best)
      : atMost(beside, check.best, parser.best, bars.besideParser),
    within('checking a body of 100 KB: p50 ms', check.p50, bars.most),
    within('checking a body of 100 KB: p95 ms', check.p95, bars.most),
    told('draft with a body of 100 KB, the whole call: p50 ms', call.p50),
    told('draft with a body of 100 KB, the whole call: p95 ms', call.p95),
  ];
}

/** Times a thing over and over; what it answers is done after it, untimed. */
async function timed(turns: number, run: () => Promise<void | (() => Promise<unknown>)>): Promise<Times> {
  const taken: number[] = [];
  for (let turn = -5; turn < turns; turn++) {
    const started = performance.now();
    const after = await run();
    if (turn >= 0) taken.push(performance.now() - started); // the first warm the worker
    await after?.();
  }
  return timesOf(taken);
}

export const draft = (html: string): Record<string, unknown> => ({
  audience: 'everyone',
  html,
  variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' } },
});
