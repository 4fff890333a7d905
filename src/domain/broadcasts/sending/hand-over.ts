import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Work } from '../../../database/work.ts';
import type { CalendarFile } from '../../content/calendar/calendar-file.ts';
import { tokenFor } from '../../delivery/ledger/delivery-token.ts';
import { composeEmail } from '../../delivery/outgoing/email-message.ts';
import type { HandOver, Provider, Providers } from '../../delivery/outgoing/outgoing.ts';
import { sinkProvider } from '../../delivery/providers/sink.ts';
import { publicUrls } from '../../delivery/outgoing/public-urls.ts';
import { mayReceive } from '../../delivery/outgoing/test-recipients.ts';
import { inSpan } from '../../../kernel/trace.ts';
import type { Recipient } from './check-window.ts';
import type { Course } from './journal.ts';
import type { Run } from './run.ts';
import { writeLetter, writeText } from '../plan/write-letter.ts';

/** Hands one person's message to a provider. */
type Handing = (
  recipient: Recipient,
  values: ReadonlyMap<string, string>,
  onLeaving: () => void,
) => Promise<HandOver>;

export interface HandOverWindow {
  readonly recipients: readonly Recipient[];
  /** Placeholder values by person. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Calendar files by person, for messages that bring one. */
  readonly calendars?: ReadonlyMap<string, CalendarFile> | undefined;
  /** The window was not full. */
  readonly isFew: boolean;
  /** Notes how far a message is, before it leaves and once it is answered. False: it could not. */
  readonly noted: (delivery: number, course: Course) => boolean;
}

/** So many of a window are made or on their way at a time: all at once would take the memory of all at once. */
const atOnce = 192;
/** A server that is suddenly slow keeps no window for longer: who has not had a turn by then has one later. */
const turnsMs = 10_000;

class NotNoted extends Error {
  override readonly name = 'NotNoted';
}

const tooLate: HandOver = { outcome: 'unreached', reply: 'the server took too long with those before' };

const whatIsKnown = (error: Error): HandOver => ({
  outcome: error instanceof NotNoted ? 'unreached' : 'uncertain',
  reply: error.name,
});

/** Hands over the message of each recipient in the window. A failure of one does not affect the others. */
export async function handOver(
  work: Work,
  run: Run,
  providers: Providers,
  { recipients, values, calendars, isFew, noted }: HandOverWindow,
  onAnswer: (recipient: Recipient, answer: HandOver) => void,
): Promise<void> {
  if (recipients.length === 0) return;
  const hand =
    run.draft.channel === 'email'
      ? emailTo(work, run, providers, { calendars, isFew })
      : textTo(work, run, providers);
  const fields = { channel: run.draft.channel, messages: recipients.length };
  await inSpan({ name: 'hand over', kind: 'client', fields }, async (tell) => {
    const outcomes: Record<string, number> = {};
    const left = recipients.values();
    const isLate = AbortSignal.timeout(turnsMs);
    const handNext = async (): Promise<void> => {
      for (const recipient of left) {
        const own = values.get(recipient.person_id) ?? new Map<string, string>();
        const { id } = recipient;
        const onLeaving = () => {
          if (!noted(id, 'handed_over')) throw new NotNoted('the journal takes nothing');
        };
        const answer = isLate.aborted ? tooLate : await hand(recipient, own, onLeaving).catch(whatIsKnown);
        const course = run.draft.channel === 'email' ? courseBy[answer.outcome] : undefined;
        if (course !== undefined) noted(id, course); // else it stays handed over
        outcomes[answer.outcome] = (outcomes[answer.outcome] ?? 0) + 1;
        onAnswer(recipient, answer);
      }
    };
    // Each begins in a turn of its own: the connections have nothing to do while many are made in one.
    let turn = Promise.resolve();
    const beginNext = (): Promise<void> => {
      const begun = turn.then(handNext);
      turn = turn.then(() => nextTurn());
      return begun;
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, recipients.length) }, beginNext));
    tell(outcomes);
  });
}

/**
 * What an answer says for certain. A text that was taken has a receipt, which the journal does not hold; and of one that
 * was not, parts may have been.
 */
const courseBy: Partial<Record<HandOver['outcome'], Course>> = {
  sent: 'taken',
  deferred: 'not_taken',
  refused: 'not_taken',
};

function emailTo(
  work: Work,
  run: Run,
  providers: Providers,
  { calendars, isFew }: Pick<HandOverWindow, 'calendars' | 'isFew'>,
): Handing {
  const { sender, dkim, row } = run;
  if (sender === undefined || dkim === undefined) throw new Error('an email run has a sender');
  const { keys, mail, org } = work;
  const sending = { keys, mail, org, broadcastId: row.id, sender, dkim };
  return async (recipient, values, onLeaving) => {
    const { id: delivery, address: to } = recipient;
    const urls = { ...publicUrls(keys, mail.publicUrl, { org, delivery }) }; // each is made once
    const { unsubscribe } = urls;
    const email = composeEmail({
      ...sending,
      ...writeLetter(run, values, urls),
      delivery,
      to,
      unsubscribe,
    });
    const calendar = calendars?.get(recipient.person_id);
    return through(run, providers.email, recipient).send({ ...email, calendar, isFew, onLeaving });
  };
}

function textTo(work: Work, run: Run, providers: Providers): Handing {
  const { smsNumber } = run;
  if (smsNumber === undefined) throw new Error('a run of texts has a number');
  return async (recipient, values, onLeaving) =>
    through(run, providers.text, recipient).send({
      org: work.org,
      onLeaving,
      from: smsNumber,
      to: recipient.address,
      body: writeText(run, values),
      token: tokenFor(work.keys, 'receipt', { org: work.org, delivery: recipient.id }),
    });
}

const sink = sinkProvider();

/** In test mode only those on the list get anything. */
function through<Message>(
  { testRecipients }: Run,
  provider: Provider<Message> | undefined,
  { address }: Recipient,
): Provider<Message> {
  if (testRecipients !== undefined && !mayReceive(testRecipients, address)) return sink;
  return provider ?? sink; // without a provider only test organizations get here
}
