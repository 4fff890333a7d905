import { expect, test } from 'vitest';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { addDelivery, setDelivery } from '../../support/arrange-ledger.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';

import { newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const [email, external_user_id] = ['ann@example.com', 'customer-1'];

const twins = [
  { twin: 'sent', reason: null, becomes: 'skipped duplicate_address', written: 0 },
  // Nobody knows whether it arrived, and a second message would be worse than none.
  { twin: 'uncertain', reason: 'interrupted', becomes: 'skipped duplicate_address', written: 0 },
  { twin: 'sending', reason: null, becomes: 'pending', written: 0 },
  { twin: 'failed', reason: 'bounced', becomes: 'sent', written: 1 },
  { twin: 'skipped', reason: 'no_address', becomes: 'sent', written: 1 },
] as const;

test.each(twins)(
  'SND-001 two in mid-send who become one: the message of one $twin, that of the other put off and due again, is $becomes',
  async ({ twin, reason, becomes, written }) => {
    const org = await newSendingOrg(world());
    const survivor = await org.person({ external_user_id });
    const merged = await org.person({ email });
    const sender_id = await newSender(world(), org);
    const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
    const { id, lane } = await beginSending(world(), org, draft);
    await world().admin.query('update broadcasts set prepared_at = now() where id = $1', [id]);
    const inHand = { state: 'sending', attempts: 1, lane: 1, due_at: new Date() };
    const own = await addDelivery(world(), org, id, survivor, inHand);
    const other = await addDelivery(world(), org, id, merged, inHand);
    expect(await org.person({ external_user_id, email })).toBe(survivor);
    await setDelivery(world(), other, { state: twin, reason });
    await setDelivery(world(), own, { state: 'pending' });

    let handedOver = 0;
    const send = async () => ((handedOver += 1), { outcome: 'sent', reply: '250 taken' } as const);
    const provider = { name: 'counting', send, close: () => Promise.resolve() };
    await laneStep(runParts(world(), { email: provider }), lane(0), 1);

    expect(handedOver).toBe(written);
    const rows = new Map((await ledgerOf(world(), id)).map((row) => [row.id, row]));
    const { state, reason: why } = rows.get(own)!;
    expect(why === null ? state : `${state} ${why}`).toBe(becomes);
    expect(rows.get(other)).toMatchObject({ person_id: survivor, state: twin });
    await expectBalanced(world(), id);
  },
);
