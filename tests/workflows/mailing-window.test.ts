import { expect, test } from 'vitest';
import { holdSent } from '../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { readRun } from '../../src/domain/broadcasts/sending/run.ts';
import { sendWindow } from '../../src/domain/broadcasts/sending/send-window.ts';
import { valueMark } from '../../src/domain/content/variables/definition.ts';
import type { OutgoingEmail } from '../../src/domain/delivery/outgoing/outgoing.ts';
import type { BroadcastId } from '../../src/kernel/ids.ts';
import { newWebinar, setWebinar } from '../support/broadcast.ts';
import { inService } from '../support/in-service.ts';
import { fenceInMemory } from '../support/lane.ts';
import { outcomesOf } from '../support/ledger.ts';

import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import { useWorld } from '../support/world.ts';
import { partsOf } from '../tracking/sent-broadcast.ts';
import { add, newMailing, rowOf } from './mailing-setting.ts';
import { textOf } from '../support/text-of.ts';
import { always } from '../support/providers.ts';

const world = useWorld();

/** A window of a mailing for a webinar, sent by a step that read the webinar before this was done to it. */
async function sendAfter(change: Readonly<Record<string, unknown>>) {
  const org = await newSendingOrg(world());
  const readers = await newReaders(org, 2);
  const webinar_id = await newWebinar(world(), org, { title: 'The old title' });
  const variable = '{{context.root_context.webinar_title}}';
  const var_title = { variable, fallback: '', template: valueMark, date_format: null, text_format: null };
  const html = '<p>{{var_title}}</p>';
  const mailing = await newMailing(world(), org, { webinar_id, html, variables: { var_title } });
  await add(world(), org, mailing, readers.values());
  const broadcast = (await rowOf(world(), mailing)).id as BroadcastId;
  const handed: OutgoingEmail[] = [];
  const providers = always({
    email: {
      name: 'a list',
      close: async () => undefined,
      send: async (email) => {
        handed.push(email);
        return { outcome: 'sent', reply: '250 ok' };
      },
    },
  });
  const read = await inService(world(), org, async (work) =>
    readRun(work, await holdSent(work, broadcast), providers),
  );
  if (read === undefined || 'problem' in read) throw new Error(read?.problem);
  await setWebinar(world(), webinar_id, change);
  const { database, clock } = world();
  const stopping = new AbortController().signal;
  const parts = { ...partsOf(world()), database, clock, providers, fence: fenceInMemory(), stopping };
  const ref = { org_id: org.id, lane: { broadcast, number: 0 } };
  await sendWindow(parts, ref, 1, read.run);
  return { handed, outcomes: await outcomesOf(world(), broadcast) };
}

test('nobody is told a title or a time that was changed while a step was under way', async () => {
  const { handed, outcomes } = await sendAfter({ title: 'The new title' });
  expect(outcomes).toEqual({ sent: 2 });
  expect(handed.map(({ html }) => /The (old|new) title/.exec(textOf(html))?.[0])).toEqual([
    'The new title',
    'The new title',
  ]);
});

test('a webinar that was canceled while a step was under way is told of to nobody', async () => {
  const { handed, outcomes } = await sendAfter({ status: 'canceled' });
  expect({ handed, outcomes }).toEqual({ handed: [], outcomes: { 'skipped stopped': 2 } });
});
