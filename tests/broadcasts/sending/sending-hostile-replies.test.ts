import { expect, test } from 'vitest';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { smtpProvider } from '../../../src/domain/delivery/providers/smtp/smtp.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import { readBroadcast } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { startSmtpScript } from '../../support/smtp-script.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

test('what a mail server says is written down whatever characters it is made of, and so is what became of the others', async () => {
  const org = await newSendingOrg(world());
  const readers = [...(await newReaders(org, 4)).entries()];
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const halved = `${'a'.repeat(489)}\u{1F600}`; // the end of what is kept of it comes in the middle of a character
  const says = ['250 2.0.0 taken\0 well', `550 5.1.1 ${halved}`, '451 4.3.0 later\0', '250 2.0.0 taken'];
  const server = await startSmtpScript((stage, { to }) =>
    stage === 'message' ? says[readers.findIndex(([email]) => email === to)] : undefined,
  );
  const email = smtpProvider({ host: '127.0.0.1', port: server.port, tls: 'off', connections: 4 });
  await laneStep(runParts(world(), { email }), lane(0), 1);
  const ledger = await ledgerOf(world(), id);
  const stateOf = (person: string) => ledger.find(({ person_id }) => person_id === person)?.state;
  expect(readers.map(([, person]) => stateOf(person))).toEqual(['sent', 'failed', 'pending', 'sent']);
  expect((await readBroadcast(org, id)).status).toBe('sending');
  await expectBalanced(world(), id);
  await email.close();
  await server.close();
});
