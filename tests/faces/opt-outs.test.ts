import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('OPT-002 OPT-003 a person without a record reads as both false', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'nobody@example.com' });
  const answer = await org.tool('get_opt_outs', { person_id });
  expect(answer.body).toEqual({ opt_outs: { email_opt_out: false, sms_opt_out: false } });
});
