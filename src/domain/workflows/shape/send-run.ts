import type { StepMessage } from '../../broadcasts/sending/mailing.ts';
import { asksNothing, nobodyWaits, setsNothing, writesNothing } from './empty-parts.ts';
import type { NodeRun } from './node-run.ts';

export interface LiveSend {
  readonly type: 'send';
  readonly message: StepMessage;
  readonly next: string;
}

/** What runs do at a node that sends, on any channel. */
export const sendRun: NodeRun<LiveSend, 'added'> = {
  type: 'send',
  deeds: { added: 'The message came into the ledger, which says what became of it.' },
  ask: asksNothing,
  enter: async ({ next }, travellers) =>
    travellers.map(({ at }) => ({ does: 'go_on', to: next, at, did: 'added' })),
  leave: nobodyWaits,
  sets: setsNothing,
  write: writesNothing,
  send: ({ message }, place, travellers) => ({ mailing: { ...place, message }, to: travellers }),
  simulate: ({ message: { channel, subject } }) => ({ channel, subject }),
  counts: { messages: true },
};
