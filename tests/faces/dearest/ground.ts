import { longBody, draft } from '../../../benches/plan/bodies.ts';
import { longGraph } from '../../../benches/neighbours/long-graph.ts';
import { limits } from '../../../src/kernel/limits.ts';
import { seedPeople } from '../../../src/main/seed-people.ts';
import { arrangeFixedOrg, type FixedOrg } from '../../queries/fixed-org.ts';
import { newDraft, newWebinar, plan } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { tokenOf } from '../../support/import-preview.ts';
import { mapped, withRows } from '../../support/import.ts';
import type { World } from '../../support/world.ts';
import { giveMost } from './person-of-most.ts';

/** An organization in which the dearest calls are dear. */
export interface Ground {
  readonly fixed: FixedOrg;
  /** Somebody who has as much of everything as one may have. */
  readonly person: string;
  /** A segment of the longest filters, of which nearly everybody is a member. */
  readonly segment: string;
  /** A draft to everybody with the largest body, and a plan of it. */
  readonly broadcast: string;
  readonly planToken: string;
  /** A live workflow of the most nodes and the longest bodies. */
  readonly workflow: string;
  /** One of the most nodes and short bodies, and a webinar for which many are registered. */
  readonly simulated: string;
  readonly webinar: string;
  /** Lists with many rows and with none. */
  readonly list: string;
  readonly commitToken: string;
  readonly emptyList: string;
  /** Its longest part has a row that was rejected, the 250th. */
  readonly brokenList: string;
}

const people = 5_000;
const listRows = 5_000;
const registrants = 6_000; // of the 10,000 there may be, so that a process which is asked too much lives to tell

/** The largest body a caller may send, a little less than the limit in bytes. */
export const largestBody = longBody(260_000);
export const longestGraph = (of: string): object => longGraph({ bytes: 22_000, of });

/** As many conditions, of as many values, as fit into a request; nearly everybody meets them. */
export const longestFilters = Array.from({ length: 20 }, (_, n) => ({
  custom_property_key: 'plan_tier',
  op: 'in',
  values: [
    'free',
    'pro',
    ...Array.from({ length: limits.values_of_in - 2 }, (__, at) => `${n} ${at}`.padEnd(80, 'x')),
  ],
}));

const mapping = {
  Customer: 'external_user_id',
  Email: 'email',
  'First name': 'first_name',
  Company: { property: 'company' },
};

/** Rows of which every second is about somebody who is there. */
export const rowsOf = (count: number, company = ''): Record<string, string>[] =>
  Array.from({ length: count }, (_, n) => ({
    Customer: n % 2 === 0 ? `ext-${n + 1}` : `listed-${n}`,
    Email: `listed-${n}@example.net`,
    'First name': `First ${n}`,
    Company: `${company}Company ${n}`,
  }));

export async function layGround(world: World): Promise<Ground> {
  const { admin, database, clock } = world;
  const fixed = await arrangeFixedOrg(world);
  const { org } = fixed;
  await seedPeople(database, { org: org.id, people, now: clock.now() });
  const made = async (route: string, body: object): Promise<Record<string, { id: string }>> => {
    const answer = await org.rest(route, body);
    if (answer.status !== 201) throw new Error(`${route} answered ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, { id: string }>;
  };
  // To ask for it would count its members once more. All but the presets, so that lists and a person's segments are dear.
  const short = [{ property: 'primary_email', op: 'is_not_empty' }];
  const { segment } = await made('POST /v1/segments', { name: 'Long', filters: short });
  await admin.query('update segments set filters = $2 where org_id = $1 and preset is null', [
    org.id,
    JSON.stringify(longestFilters),
  ]);
  const sender_id = await newSender(world, org);
  const broadcast = await newDraft(org, { ...draft(largestBody), subject: 'x'.repeat(998), sender_id });
  const newWorkflow = async (bytes: number): Promise<string> => {
    const graph = longGraph({ bytes, sender: sender_id });
    return (await made('POST /v1/workflows', { name: 'Long', graph }))['workflow']!.id;
  };
  const workflow = await newWorkflow(22_000);
  await org.rest(`POST /v1/workflows/${workflow}/publish`, {});
  const webinar = await newWebinar(world, org);
  await admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select org_id, gen_random_uuid(), $2, id, now() from people where org_id = $1 order by id limit $3`,
    [org.id, webinar, registrants],
  );
  await giveMost(admin, org.id, fixed.person);
  const list = await withRows(org, mapping, rowsOf(listRows));
  const { plan_token } = await plan(org, broadcast.id);
  const commitToken = await tokenOf(org, list, 'allow');
  await admin.query('vacuum analyze');
  return {
    fixed,
    person: fixed.person,
    segment: segment!.id,
    broadcast: broadcast.id,
    planToken: plan_token,
    workflow,
    simulated: await newWorkflow(1_000),
    webinar,
    list,
    commitToken,
    emptyList: await mapped(org, mapping),
    brokenList: await withRows(
      org,
      mapping,
      rowsOf(500, 'x'.repeat(1_900)).map((row, at) => (at === 249 ? { ...row, Email: 'nobody' } : row)),
    ),
  };
}
