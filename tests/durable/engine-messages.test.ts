import { expect, test } from 'vitest';
import { declareMessage } from '../../src/database/engine-message.ts';
import { engineMessages, messageNames } from '../../src/database/engine-messages.ts';
import { addToOutbox } from '../../src/database/outbox.ts';
import type { Work } from '../../src/database/work.ts';
import {
  mountHandlers,
  type MessageHandler,
  type MessageHandlers,
} from '../../src/durable/mount-handlers.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { useWorld } from '../support/world.ts';

const world = useWorld({ engine: true });

test('what crosses to the engine keeps its names: engines hold messages in flight', () => {
  expect(messageNames.map((name) => `${name}/${engineMessages[name].handler}`).toSorted()).toEqual([
    'AttendanceSync/read',
    'BroadcastRun/send',
    'BroadcastStart/begin',
    'ImportRun/commit',
    'OrganizationRemoval/remove',
    'PersonProperties/apply',
    'PlatformPush/push',
    'PropertyRemoval/remove',
    'SendingDomains/check',
    'TestSend/send',
    'WaitClock/ring',
  ]);
});

test.each(messageNames)('%s is served, and what is no payload of it is not tried for ever', async (name) => {
  const { handler, is, oneByOne } = engineMessages[name];
  const path = oneByOne ? `${name}/somebody/${handler}` : `${name}/${handler}`;
  for (const payload of [{}, { org_id: 'x' }, 'no', null]) {
    const response = await fetch(`${world().config.RESTATE_INGRESS_URL[0]}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(30_000),
    });
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(`not ${is}`)]);
  }
});

test.each(messageNames)('%s is given up in the end, not paused until somebody looks', async (name) => {
  const response = await fetch(`${world().restate!.adminUrl}/services/${name}`);
  expect(await response.json()).toMatchObject({ retry_policy: { on_max_attempts: 'Kill' } });
});

test.each(messageNames)('the rows of %s fill every field that its payload must have', (name) => {
  const { payload, due } = engineMessages[name];
  const needed = Object.entries(payload.shape).filter(([, field]) => !field.safeParse(undefined).success);
  expect(Object.keys(due.payload).toSorted()).toEqual(
    needed
      .map(([field]) => field)
      .filter((field) => field !== 'org_id')
      .toSorted(),
  );
  expect(Object.keys(due.payload)).toContain(due.names);
});

/** Never run: `npm run types` reads it, and fails where one of these compiles. */
export async function refusedByTheCompiler(work: Work, handlers: MessageHandlers): Promise<void> {
  // @ts-expect-error no message has this name
  await addToOutbox(work, 'NobodyHears', {});
  // @ts-expect-error a field is missing
  await addToOutbox(work, 'BroadcastStart', { broadcast_id: 'a' });
  // @ts-expect-error a field is of another type than on the wire
  await addToOutbox(work, 'BroadcastStart', { broadcast_id: 'a', revision: 3 });
  // @ts-expect-error a field that nobody reads
  await addToOutbox(work, 'TestSend', { test_send_id: 'a', email: 'a@example.com' });

  const { TestSend: _, ...withoutOne } = handlers;
  // @ts-expect-error a message has no handler
  mountHandlers(withoutOne);
  // @ts-expect-error a handler's message is not declared
  mountHandlers({ ...handlers, NobodySends: handlers.TestSend });
  // @ts-expect-error a handler of another message
  mountHandlers({ ...handlers, TestSend: handlers.ImportRun });
  const handle: MessageHandler<'TestSend'>['handle'] = async (_context, received, again) => {
    // @ts-expect-error a field that this message does not have
    void received.import_id;
    // @ts-expect-error sent on without the field that names the row
    again({});
  };
  void handle;

  const due = { names: 'thing_id', clock: 'service', from: 'imports', at: 'run_at' } as const;
  const declared = { is: 'a thing', handler: 'do', payload: { thing_id: z.guid(), at: z.string() } };
  // @ts-expect-error the rows do not say everything that the payload must have
  declareMessage({ ...declared, due: { ...due, payload: { thing_id: sql`d.id` } } });
  // @ts-expect-error no rows make it due
  declareMessage(declared);
}
