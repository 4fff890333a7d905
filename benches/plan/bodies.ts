import { tell } from '../support/command.ts';
import { atMost, type Figure } from '../support/figure.ts';
import { timesOf } from '../support/in-turns.ts';
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

/** Drafting with a body of 100 KB: what the whole call takes, in which it is checked and compiled. */
export async function checkingBodies(service: RestClient, turns: number, most: number): Promise<Figure[]> {
  tell('checking a body of 100 KB');
  const html = longBody(100 * kilobyte);
  const taken: number[] = [];
  for (let turn = -3; turn < turns; turn++) {
    const started = performance.now();
    const { broadcast } = (await service.call('POST', '/v1/broadcasts', draft(html))) as {
      broadcast: { id: string };
    };
    if (turn >= 0) taken.push(performance.now() - started); // the first warm the worker
    await service.call('DELETE', `/v1/broadcasts/${broadcast.id}`);
  }
  const { p50, p95 } = timesOf(taken);
  return [
    atMost('draft with a body of 100 KB: p50 ms beside the bar', p50, most, 1),
    atMost('draft with a body of 100 KB: p95 ms beside the bar', p95, most, 1),
  ];
}

export const draft = (html: string): Record<string, unknown> => ({
  audience: 'everyone',
  html,
  variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' } },
});
