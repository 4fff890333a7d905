import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { trapLink } from '../../src/domain/delivery/outgoing/public-urls.ts';
import { machineByRequest } from '../../src/domain/tracking/machine-request.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import {
  auditOf,
  browser,
  eventsOf,
  follow,
  hitsOf,
  judge,
  newPeople,
  sendTo,
  totalsOf,
  type SentBroadcast,
} from './sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
let person: string;

beforeAll(async () => {
  org = await world().newOrg();
  [person = ''] = await newPeople(org, 1);
});

describe('by the request alone', () => {
  const people = [
    browser,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.13328; Pro)',
    'Outlook-iOS/709.2189947.prod.iphone (3.24.0)',
  ];
  const machines = [
    'curl/8.5.0',
    'python-requests/2.31',
    'Googlebot/2.1',
    'Slackbot-LinkExpanding 1.0',
    'HeadlessChrome/126',
  ];
  const proxies = [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  ];
  const get = { kind: 'click', link: 0, method: 'GET' } as const;

  test.each(people)('%s may be a person', (agent) => {
    expect(machineByRequest({ ...get, agent })).toBeUndefined();
    expect(machineByRequest({ ...get, kind: 'open', link: null, agent })).toBeUndefined();
    expect(machineByRequest({ ...get, method: 'HEAD', agent })).toBe('head');
    expect(machineByRequest({ ...get, link: trapLink, agent })).toBe('trap');
  });

  test.each(machines)('%s is a machine', (agent) => {
    expect(machineByRequest({ ...get, agent })).toBe('bot');
    expect(machineByRequest({ ...get, kind: 'open', link: null, agent })).toBe('bot');
  });

  test.each(proxies)('%s fetches pictures for people, and follows no links', (agent) => {
    expect(machineByRequest({ ...get, kind: 'open', link: null, agent })).toBeUndefined();
    expect(machineByRequest({ ...get, agent })).toBe('bot');
  });

  test('nobody and Apple’s relay are machines', () => {
    expect(machineByRequest({ ...get, agent: '' })).toBe('no_agent');
    expect(machineByRequest({ ...get, kind: 'open', link: null, agent: 'Mozilla/5.0' })).toBe('apple_relay');
  });
});

interface Planted {
  readonly link?: number;
  /** Seconds after the message was sent. */
  readonly after: number;
  readonly verdict?: string;
}

/** A message sent an hour ago that was fetched at these times, and how each was judged. */
async function judged(
  hits: readonly Planted[],
  sent: Partial<Record<'state' | 'sent_at', string | null>> = {},
) {
  const broadcast = await sendTo(world(), org, [person]);
  const [{ delivery }] = broadcast.messages as [SentBroadcast['messages'][0]];
  const { admin } = world();
  for (const [column, value] of Object.entries(sent)) {
    await admin.query(`update deliveries set ${column} = $2 where id = $1`, [delivery, value]);
  }
  for (const { link, after, verdict } of hits) {
    await admin.query(
      `insert into tracking_hits (org_id, delivery_id, kind, link, at, agent, method, verdict)
       select org_id, id, $2, $3, coalesce(sent_at, $6) + make_interval(secs => $4), 'test', 'GET', $5
       from deliveries where id = $1`,
      [
        delivery,
        link === undefined ? 'open' : 'click',
        link,
        after,
        verdict,
        new Date(Date.now() - 3_600_000),
      ],
    );
  }
  await judge(world());
  const stored = await hitsOf(world(), broadcast);
  return { broadcast, delivery, verdicts: stored.map(({ why, verdict }) => why ?? verdict) };
}

describe('by what comes beside it', () => {
  test.each<[string, readonly Planted[], readonly string[]]>([
    ['an opening and a click', [{ after: 60 }, { after: 61, link: 0 }], ['human', 'human']],
    [
      'one link twice',
      [
        { after: 60, link: 0 },
        { after: 61, link: 0 },
      ],
      ['human', 'human'],
    ],
    [
      'two links slowly',
      [
        { after: 60, link: 0 },
        { after: 62.01, link: 1 },
      ],
      ['human', 'human'],
    ],
    [
      'two links at once',
      [
        { after: 60, link: 0 },
        { after: 62, link: 1 },
      ],
      ['several_links', 'several_links'],
    ],
    [
      'a picture among links',
      [{ after: 60 }, { after: 60.2, link: 0 }, { after: 60.4, link: 1 }],
      ['several_links', 'several_links', 'several_links'],
    ],
    [
      'right after it was sent',
      [{ after: 0 }, { after: 9.9 }, { after: 10 }],
      ['too_soon', 'too_soon', 'human'],
    ],
    ['before it was known to be sent', [{ after: -1 }], ['too_soon']],
    [
      'the trap a moment before or after',
      [
        { after: 58 },
        { after: 60, link: trapLink, verdict: 'machine' },
        { after: 61, link: 0 },
        { after: 62.01 },
      ],
      ['trap', 'machine', 'trap', 'human'],
    ],
    [
      'beside a link that only a machine followed',
      [
        { after: 60, link: 0 },
        { after: 61, link: 1, verdict: 'machine' },
      ],
      ['several_links', 'machine'],
    ],
  ])('%s', async (_, hits, expected) => {
    expect((await judged(hits)).verdicts).toEqual(expected);
  });

  test('a hundred at once are nobody’s', async () => {
    const { verdicts } = await judged(Array.from({ length: 120 }, () => ({ after: 60, link: 0 })));
    expect(new Set(verdicts)).toEqual(new Set(['crowd']));
    const few = await judged(Array.from({ length: 99 }, () => ({ after: 60, link: 0 })));
    expect(new Set(few.verdicts)).toEqual(new Set(['human']));
  });

  test('while a message is being handed over nobody can have read it; of one that nobody knows about, somebody may', async () => {
    const inHand = { state: 'sending', sent_at: null };
    expect((await judged([{ after: 600 }], inHand)).verdicts).toEqual(['too_soon']);
    const uncertain = await judged([{ after: 600 }], { state: 'uncertain', sent_at: null });
    expect(uncertain.verdicts).toEqual(['human']);
    expect(await totalsOf(world(), uncertain.broadcast)).toMatchObject({ opened: 1 });
  });

  test('other messages do not count', async () => {
    const [one, other] = [await newPeople(org, 1), await newPeople(org, 1)].flat();
    const sent = await sendTo(world(), org, [one!, other!]);
    await follow(sent.messages[0]!.urls.click(0));
    await follow(sent.messages[1]!.urls.click(1));
    await judge(world());
    expect((await hitsOf(world(), sent)).map(({ verdict }) => verdict)).toEqual(['human', 'human']);
  });
});

/** No time passes until the test is over. */
function stopTheClock(): void {
  const { clock } = world();
  const still = clock.now();
  clock.now = () => still;
  onTestFinished(() => {
    clock.now = () => systemClock.now();
  });
}

describe('judging waits', () => {
  test('until neighbours must have come', async () => {
    stopTheClock();
    const sent = await sendTo(world(), org, [person]);
    await follow(sent.messages[0]!.urls.open);
    await judge(world(), 0);
    expect(await hitsOf(world(), sent)).toMatchObject([{ verdict: null }]);
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 0 });
    await judge(world(), 4);
    expect(await hitsOf(world(), sent)).toMatchObject([{ verdict: 'human' }]);
  });

  test('by the clock of the organization', async () => {
    stopTheClock();
    const ahead = await world().newOrg();
    await ahead.rest('POST /v1/test-clock', { now: new Date(Date.now() + 30 * 86_400_000).toISOString() });
    const sent = await sendTo(world(), ahead, await newPeople(ahead, 1));
    await follow(sent.messages[0]!.urls.open);
    await judge(world(), 0);
    expect(await hitsOf(world(), sent)).toMatchObject([{ verdict: null }]);
    await judge(world(), 4);
    expect(await hitsOf(world(), sent)).toMatchObject([{ verdict: 'human' }]);
    const [reader = ''] = sent.messages.map((message) => message.person);
    const { body } = await ahead.rest(`GET /v1/people/${reader}`);
    expect(Date.parse(body.person.last_opened_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(body.person.email_engagement_score).toBe(8);
  });
});

describe('what a human hit changes', () => {
  test('the ledger, the totals, the person and its timeline, once a message', async () => {
    const [reader = ''] = await newPeople(org, 1);
    const sent = await sendTo(world(), org, [reader]);
    const [{ urls }] = sent.messages as [SentBroadcast['messages'][0]];
    const read = async () => (await org.rest(`GET /v1/people/${reader}`)).body.person;
    await follow(urls.open);
    await judge(world());
    const opened = await read();
    expect(opened).toMatchObject({
      last_opened_at: expect.any(String),
      last_clicked_at: null,
      email_engagement_score: 8,
    });
    await follow(urls.open);
    await judge(world());
    const again = await read();
    expect(again.last_opened_at > opened.last_opened_at).toBe(true);
    expect(again.email_engagement_score).toBe(8);
    await follow(urls.click(1));
    await judge(world());
    await follow(urls.click(1));
    await judge(world());
    const clicked = await read();
    expect(clicked.email_engagement_score).toBe(35); // 1 + 4
    expect(clicked.last_opened_at).toBe(clicked.last_clicked_at);
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1, clicked: 1 });
    const events = await eventsOf(world(), reader);
    expect(events.map(({ name, custom_properties }) => [name, custom_properties])).toEqual([
      ['$svc_email_opened', { broadcast_id: sent.id }],
      ['$svc_email_clicked', { broadcast_id: sent.id, link: 1, url: 'https://a.example/2?x=1&y=2' }],
    ]);
    const ids = { broadcast_ids: [sent.id] };
    const rows = (await auditOf(world(), org, 'judge_hits')).filter((row) =>
      JSON.stringify(row).includes(sent.id),
    );
    expect(rows).toEqual(Array(2).fill({ actor_kind: 'service', actor_id: 'tracking', ids }));
  });

  test('a click says that it was opened, whether the picture is fetched later or never', async () => {
    const [reader = ''] = await newPeople(org, 1);
    const sent = await sendTo(world(), org, [reader]);
    await follow(sent.messages[0]!.urls.click(0));
    await judge(world());
    await follow(sent.messages[0]!.urls.open);
    await judge(world());
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1, clicked: 1 });
    const names = (await eventsOf(world(), reader)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['$svc_email_clicked', '$svc_email_opened']);
    const { body } = await org.rest(`GET /v1/people/${reader}`);
    expect(body.person.email_engagement_score).toBe(35);
  });

  test('machines change nothing', async () => {
    stopTheClock();
    const [reader = ''] = await newPeople(org, 1);
    const sent = await sendTo(world(), org, [reader]);
    const [{ urls }] = sent.messages as [SentBroadcast['messages'][0]];
    await follow(urls.open, { agent: 'Mozilla/5.0' });
    await follow(urls.click(0), { method: 'HEAD' });
    await Promise.all([follow(urls.click(0)), follow(urls.click(1)), follow(urls.click(trapLink))]);
    await judge(world());
    expect(new Set((await hitsOf(world(), sent)).map(({ verdict }) => verdict))).toEqual(
      new Set(['machine']),
    );
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 0, clicked: 0 });
    expect(await eventsOf(world(), reader)).toEqual([]);
    const { body } = await org.rest(`GET /v1/people/${reader}`);
    expect(body.person).toMatchObject({
      last_opened_at: null,
      last_clicked_at: null,
      email_engagement_score: null,
    });
  });

  test('of a person who is gone, the totals alone', async () => {
    const [reader = ''] = await newPeople(org, 1);
    const sent = await sendTo(world(), org, [reader]);
    await org.rest(`DELETE /v1/people/${reader}`);
    await follow(sent.messages[0]!.urls.click(0));
    await judge(world());
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1, clicked: 1 });
    expect(await eventsOf(world(), reader)).toEqual([]);
  });

  test('of a person who was merged, the survivor', async () => {
    const kept = await org.person({ email: 'kept@judge.example' });
    const folded = await org.person({ phone: '+15550108888' });
    const sent = await sendTo(world(), org, [folded]);
    await follow(sent.messages[0]!.urls.click(0));
    await org.rest('POST /v1/people/identify', { email: 'kept@judge.example', phone: '+15550108888' });
    await judge(world());
    const { body } = await org.rest(`GET /v1/people/${kept}`);
    expect(body.person).toMatchObject({ email_engagement_score: 35, last_clicked_at: expect.any(String) });
    expect(await eventsOf(world(), kept)).toHaveLength(2);
    expect(await totalsOf(world(), sent)).toMatchObject({ opened: 1, clicked: 1 });
  });
});
