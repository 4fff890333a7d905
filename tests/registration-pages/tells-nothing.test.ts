import { expect, test } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { registerFor } from '../support/webinar.ts';
import { newAddress, openForm, openPage, passSeconds, post } from './visitor.ts';

const world = useWorld({ env: { TRUST_PROXY: 'true' } });
const rounds = isLong ? 4 : 2;

/** People of every standing, each with an address of its own for every round. */
async function arrange(org: Awaited<ReturnType<ReturnType<typeof world>['newOrg']>>, webinar: string) {
  const standings: Record<string, string[]> = {};
  for (const standing of ['unknown', 'known', 'registered', 'opted out', 'left', 'blacklisted']) {
    const emails = Array.from({ length: rounds }, (_, at) => `${standing.replace(' ', '')}${at}@example.com`);
    standings[standing] = emails;
    if (standing === 'unknown') continue;
    for (const email of emails) {
      const id = await org.person({ email });
      if (standing === 'known') continue;
      await registerFor(org, webinar, { email });
      if (standing === 'opted out')
        await org.rest('PATCH /v1/people/opt-outs', { person_ids: [id], channel: 'email', opt_out: true });
      if (standing === 'left') await org.rest('POST /v1/webinars/unregister', { webinar_id: webinar, email });
      if (standing === 'blacklisted')
        await world().admin.query(
          `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
           values ($1, gen_random_uuid(), $2, $3, 'bounced', now())`,
          [org.id, id, email],
        );
    }
  }
  return standings;
}

test('nobody learns from the answer or from its time who is registered', measured, async () => {
  const org = await world().newOrg();
  const slug = `tells-nothing-${newId(new Date())}`;
  const { url, webinar_id } = await openPage(org, { slug });
  const standings = await arrange(org, webinar_id);
  const answers = new Map<string, string[]>();
  const times = new Map<string, number[]>();
  // What is compiled and planned at the first use is done before anything is measured.
  const warm = await openForm(world(), url);
  await post(url, { full_name: 'Warm Up', email: 'warm@example.com', token: warm }, { from: newAddress() });
  for (let round = 0; round < rounds; round++) {
    for (const [standing, emails] of Object.entries(standings)) {
      const token = await openForm(world(), url);
      passSeconds(world(), 1);
      const began = performance.now();
      const { status, location, headers, text } = await post(
        url,
        { full_name: 'Some Body', email: emails[round]!, token },
        { from: newAddress() },
      );
      times.set(standing, [...(times.get(standing) ?? []), performance.now() - began]);
      const named = [...headers.keys()].filter((name) => name !== 'request-id' && name !== 'date').join();
      answers.set(standing, [
        ...(answers.get(standing) ?? []),
        JSON.stringify([status, location, named, text]),
      ]);
    }
  }
  const different = new Set([...answers.values()].flat());
  expect([...different]).toHaveLength(1);
  expect([...different][0]).toContain(`/w/${slug}/registered`);
  // All at a whole number of steps: a repeat does less than a new registration.
  for (const [standing, all] of times) {
    const least = Math.min(...all);
    expect([standing, least >= 250 && least < 330]).toEqual([standing, true]);
  }
  const { rows } = await world().admin.query(
    `select count(*)::int as registered from registrations where org_id = $1`,
    [org.id],
  );
  expect(rows[0].registered).toBe(rounds * 6 + 1);
});
