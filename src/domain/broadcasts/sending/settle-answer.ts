import { bounceClass } from '../../delivery/ledger/bounce-class.ts';
import type { HandOver } from '../../delivery/outgoing/outgoing.ts';
import { givesUpAt, nextAttempt } from '../../delivery/ledger/retry.ts';
import type { Settled } from '../../delivery/ledger/settle.ts';
import type { Recipient } from './check-window.ts';
import type { Run } from './run.ts';

const unreachedMs = 30_000;

/** Turns a provider's answer into the result for a recipient. */
export function settledBy(run: Run, recipient: Recipient, answer: HandOver, now: Date): Settled {
  const { id, address, attempts } = recipient;
  const { reply } = answer;
  const known = { id, address, reply };
  switch (answer.outcome) {
    case 'sent':
      return {
        ...known,
        state: 'sent',
        sent_at: now,
        ...(answer.receipt !== undefined && { receipt: answer.receipt }),
      };
    case 'uncertain':
      return { ...known, state: 'uncertain', reason: 'no_answer' };
    case 'refused':
      return answer.optedOut === true
        ? { ...known, state: 'skipped', reason: 'opted_out' }
        : { ...known, state: 'failed', reason: bounceClass(answer) === 'hard' ? 'bounced' : 'refused' };
    case 'deferred':
    case 'unreached': {
      const isDeferred = answer.outcome === 'deferred';
      const due_at = isDeferred ? nextAttempt(attempts, now) : new Date(now.getTime() + unreachedMs);
      const sendAt = recipient.added_at ?? run.row.send_at ?? now;
      const last = givesUpAt({ sendAt, webinarStart: run.webinar?.start_time });
      if (due_at >= last) return { ...known, state: 'failed', reason: 'gave_up' };
      if (!isDeferred) return { id, state: 'pending', due_at, untried: true };
      const note = {
        at: now,
        what: 'deferred',
        reply,
        ...(answer.code !== undefined && { code: answer.code }),
      };
      return { ...known, state: 'pending', due_at, note };
    }
  }
}
