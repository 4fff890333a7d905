import pg from 'pg';
import { arrange, newWebinar } from '../send/arrange.ts';
import { secret } from '../send/service.ts';
import { serve } from '../neighbours/victim.ts';
import {
  copyDatabase,
  dropDatabase,
  seedDatabase,
  type BenchOrg,
  type Population,
} from '../support/bench-database.ts';
import { tell, type Options, type Size } from '../support/command.ts';
import { atLeast, atMost, exactly, told, type Figure } from '../support/figure.ts';
import { forkScript } from '../support/forked.ts';
import { processorSeconds } from '../support/process-figures.ts';
import { startServer } from '../support/server-process.ts';
import type { Kind, Visit, Visited } from './visits.ts';
import { shipped } from '../support/shipped.ts';

const populationOf = (people: number): Population => ({
  name: 'rostrum_bench_registration_page',
  measured: [
    { people: people * 2, properties: 5 },
    { people, properties: 5 },
  ],
  others: { count: 0, people: 0, properties: 0 },
});
/** Forms a second, half of them from people. A small run is for machines that do other things too: it counts who got in. */
const plans = {
  small: { perSecond: 50, seconds: 2, people: 100 },
  full: { perSecond: 200, seconds: 60, people: 1_000 },
} as const;
// Times what another organization's calls took before. Where the place of a light call rested, its p95 was 80 times that.
const most = 3;
const mostOfSlowest = 5;
/** What the page lets one address send in a minute; in less than two minutes there are three of them at most. */
const postsOfAddress = 30;

/** A page that people and programs come to at once: who gets in, how long it takes, and what another organization notices. */
export async function registrationPage(size: Size, { people, minutes }: Options): Promise<Figure[]> {
  const plan = plans[size];
  const perSecond = people === undefined ? plan.perSecond : people * 2;
  const seconds = minutes === undefined ? plan.seconds : minutes * 60;
  const population = populationOf(plan.people);
  const judged =
    size === 'full' ? atMost : (name: string, ours: number, bare: number) => told(name, ours, bare);
  const closing: (() => unknown)[] = [() => dropDatabase(population)];
  try {
    const { orgs } = await seedDatabase(population);
    const run = await copyDatabase(population, `${population.name}_run`);
    closing.push(run.drop);
    const rows = new pg.Client({ connectionString: run.url });
    await rows.connect();
    closing.push(() => rows.end());
    const profile = process.env['BENCH_PROFILE'];
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const asShipped = ['--max-semi-space-size=16', shipped, 'serve', 'api'];
    const api = await startServer([...flags, ...asShipped], {
      DATABASE_URL: run.url,
      ROSTRUM_SECRET: secret,
      TRUST_PROXY: 'true',
    });
    closing.push(() => api.stop());
    const visitors = forkScript(new URL('./visits.ts', import.meta.url));
    closing.push(() => visitors.stop());
    const [open, other] = orgs as [BenchOrg, BenchOrg];
    const webinar = await newWebinar(await arrange(rows, open, api.url), 0);
    await publish(api.url, open, webinar);
    const { rows: others } = await rows.query<{ id: string }>('select id from people where org_id = $1', [
      other.id,
    ]);
    const victim = {
      org: other,
      people: others.map(({ id }) => id),
      webinar: await newWebinar(await arrange(rows, other, api.url), 0),
    };
    const visit: Visit = { ask: 'visit', url: api.url, slug, perSecond, seconds };
    if (size === 'full') {
      tell('warming up');
      await visitors.ask<Visited>({ ...visit, seconds: 1 });
      await rows.query('delete from people where org_id = $1 and primary_email like $2', [
        open.id,
        '%@example.net',
      ]);
    }
    const quiet = await serve(victim, api.url, 1);
    tell(`${perSecond} forms a second`);
    const busyBefore = processorSeconds(api.child.pid ?? 0);
    const visiting = visitors.ask<Visited>({ ...visit });
    const beside = await serve(victim, api.url, seconds + 2);
    const visited = await visiting;
    const busy = processorSeconds(api.child.pid ?? 0) - busyBefore;
    const registered = await registeredOf(rows, open);
    return [
      ...whoGotIn(visited, registered),
      told('people: answered within, p50 ms', visited.people.p50),
      told('people: answered within, p95 ms', visited.people.p95),
      exactly(
        'forms that failed',
        Object.values(visited.failed).reduce((sum, count) => sum + count, 0),
        0,
      ),
      ...Object.entries(visited.failed).map(([why, count]) => told(`failed: ${why}`, count)),
      told('processor time of the service a form, ms', (busy * 1000) / (perSecond * seconds)),
      judged(
        "another organization's get_person, p50 ms",
        beside.times.get_person.p50,
        quiet.times.get_person.p50,
        most,
      ),
      judged(
        "another organization's get_person, p95 ms",
        beside.times.get_person.p95,
        quiet.times.get_person.p95,
        mostOfSlowest,
      ),
      exactly("another organization's calls that failed", beside.failed + beside.refused, 0),
    ];
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

const slug = 'bench-page';

async function publish(url: string, { secret: key }: BenchOrg, webinar: string): Promise<void> {
  const { status } = await fetch(`${url}/v1/webinars/${webinar}/registration-page`, {
    method: 'PUT',
    headers: { authorization: key, 'auth-type': 'api', 'content-type': 'application/json' },
    body: JSON.stringify({ slug }),
  });
  if (status !== 201) throw new Error(`update_registration_page answered ${status}`);
}

/** How many of each kind are registered, by the rows and not by what they were answered. */
async function registeredOf(rows: pg.Client, { id }: BenchOrg): Promise<(kind: Kind) => number> {
  const { rows: found } = await rows.query<{ kind: string; registered: number }>(
    `select regexp_replace(p.primary_email, '-\\d+@.*$', '') as kind, count(*)::int as registered
     from registrations r join people p on p.org_id = r.org_id and p.id = r.person_id
     where r.org_id = $1 and p.primary_email like '%@example.net' group by 1`,
    [id],
  );
  return (kind) => found.find((one) => one.kind === kind.replace(' ', '-'))?.registered ?? 0;
}

function whoGotIn({ sent, again }: Visited, registered: (kind: Kind) => number): Figure[] {
  const perMinutes = postsOfAddress * 3;
  return [
    atLeast('people who got in, of those who came', registered('person'), sent.person, 0.999),
    exactly('blind posters who got in', registered('blind'), 0),
    exactly('fillers of the trap who got in', registered('trapped'), 0),
    exactly('those who were too fast who got in', registered('too fast'), 0),
    atMost('replayers of one token who got in', registered('replayer'), 1, 1),
    atMost(
      'of many from one address got in',
      registered('one address'),
      Math.min(perMinutes, sent['one address']),
      1,
    ),
    told(
      'programs that came',
      sent.blind + sent.trapped + sent['too fast'] + sent.replayer + sent['one address'],
    ),
    told(
      'programs that were shown the form again',
      again.blind + again.trapped + again['too fast'] + again.replayer + again['one address'],
    ),
  ];
}
