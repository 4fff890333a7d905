import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Work } from '../../../src/database/work.ts';
import { tokenFor } from '../../../src/domain/delivery/ledger/delivery-token.ts';
import { noteBounce } from '../../../src/domain/delivery/inbound/note-bounce.ts';
import { noteComplaint } from '../../../src/domain/delivery/inbound/note-complaint.ts';
import { keyring } from '../../../src/main/keys.ts';
import type { Random } from '../../segments/random.ts';
import { newDraft } from '../../support/broadcast.ts';
import { inService } from '../../support/in-service.ts';
import { type Sending } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';

/** What befalls somebody, once, at some moment. Who is merged goes into the other and is no more. */
export const fates = [
  'nothing',
  'outsider',
  'opts_out',
  'unsubscribes',
  'bounces',
  'complains',
  'deleted',
  'leaves',
  'enters',
  'merged',
  'merged_opted_out',
] as const;
export type Fate = (typeof fates)[number];

export interface Reader {
  readonly email: string;
  readonly person: string;
  readonly fate: Fate;
  /** Who survives the merge. */
  readonly into: Reader | undefined;
  /** Asked before anything was sent. */
  readonly isEarly: boolean;
  /** When the call was answered: whatever it did was committed before. */
  answered: number;
}

/** An organization with people, each with the property its segment asks about, and with an earlier email to bounce. */
export async function newCrowd({ world }: Sending, random: Random, count: number) {
  const org = await newSendingOrg(world);
  await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const readers: Reader[] = [];
  const people = [...(await newReaders(org, count, () => ({ external_user_id: randomUUID() })))];
  while (people.length > 0) {
    const [email, person] = people.pop()!;
    const fate = random.pick(fates);
    const [other] = fate.startsWith('merged') ? people.splice(0, 1) : [];
    const into = other && newReader(other, 'nothing', undefined, false);
    if (into !== undefined) readers.push(into);
    readers.push(
      newReader(
        [email, person],
        into === undefined && fate.startsWith('merged') ? 'nothing' : fate,
        into,
        random.chance(0.3),
      ),
    );
  }
  await world.admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, changed_by, created_at)
     select $1, p, c.id, case when p = any($3::uuid[]) then 'free' else 'pro' end, c.id, now()
     from unnest($2::uuid[]) p, property_configs c where c.org_id = $1`,
    [
      org.id,
      readers.map(({ person }) => person),
      readers.filter(({ fate }) => fate === 'outsider' || fate === 'enters').map(({ person }) => person),
    ],
  );
  const segment_id = await newSegment(org, [{ custom_property_key: 'plan', op: 'eq', value: 'pro' }]);
  return { org, readers, segment_id, earlier: await sendEarlier(org, readers) };

  async function sendEarlier(to: TestOrg, all: readonly Reader[]): Promise<Map<string, number>> {
    const { id } = await newDraft(to, { audience: 'everyone', subject: 'Earlier', html: '<p>Hello</p>' });
    const { rows } = await world.admin.query<{ id: number; person_id: string }>(
      `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
       select $1, $2, p, 'pending', now() from unnest($3::uuid[]) p returning id::float8, person_id`,
      [to.id, id, all.map(({ person }) => person)],
    );
    await world.admin.query(
      `update deliveries d set state = 'sent', sent_at = now(), address = p.primary_email
       from people p where d.broadcast_id = $1 and p.org_id = d.org_id and p.id = d.person_id`,
      [id],
    );
    return new Map(rows.map((row) => [row.person_id, row.id]));
  }
}

const newReader = (
  [email, person]: readonly [string, string],
  fate: Fate,
  into: Reader | undefined,
  isEarly: boolean,
): Reader => ({ email, person, fate, into, isEarly, answered: Number.POSITIVE_INFINITY });

export type Crowd = Awaited<ReturnType<typeof newCrowd>>;

/** Lets somebody's fate come, and notes when that was answered. */
export async function befall({ world }: Sending, { org, earlier }: Crowd, reader: Reader): Promise<void> {
  const { person, email, into } = reader;
  const delivery = earlier.get(person)!;
  const keys = keyring(world.config);
  const ask = async (route: string, body?: unknown) => {
    const { status, body: answer } = await org.rest(route, body);
    expect(status, `${route} answered ${JSON.stringify(answer)}`).toBe(200);
  };
  const note = (handle: (work: Work) => Promise<unknown>) => inService(world, org, handle);
  const optOut = () => ask(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  const merge = async () =>
    ask('POST /v1/people/identify', { external_user_id: await externalId(into!), email });
  const externalId = async ({ person: other }: Reader) =>
    (await org.rest(`GET /v1/people/${other}`)).body.person.external_user_id as string;
  const tag = (value: string) => ask(`PUT /v1/people/${person}/properties/plan`, { value });
  const unsubscribe = async () => {
    const token = tokenFor(keys, 'unsubscribe', { org: org.id, delivery });
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(`${world.url}/u/${token}`, { method: 'POST', body: form })).status).toBe(200);
  };
  const acts: Readonly<Record<Fate, () => Promise<unknown>>> = {
    nothing: () => pause(0),
    outsider: () => pause(0),
    opts_out: optOut,
    unsubscribes: unsubscribe,
    bounces: () => note((work) => noteBounce(work, { delivery, bounceClass: 'hard', code: '5.1.1' })),
    complains: () => note((work) => noteComplaint(work, { delivery })),
    deleted: () => ask(`DELETE /v1/people/${person}`),
    leaves: () => tag('free'),
    enters: () => tag('pro'),
    merged: merge,
    merged_opted_out: async () => {
      await optOut();
      reader.answered = performance.now();
      await merge();
      into!.answered = performance.now();
    },
  };
  await acts[reader.fate]();
  if (reader.fate !== 'merged_opted_out') reader.answered = performance.now();
}
