import type { Work } from '../../database/work.ts';
import { tokenFor } from '../delivery/delivery-token.ts';
import { composeEmail } from '../delivery/email-message.ts';
import type { HandOver, Provider, Providers } from '../delivery/outgoing.ts';
import { sinkProvider } from '../delivery/providers/sink.ts';
import { publicUrls } from '../delivery/public-urls.ts';
import { mayReally } from '../delivery/test-recipients.ts';
import type { Recipient } from './check-window.ts';
import type { Run } from './run.ts';
import { writeLetter, writeText } from './write-letter.ts';

/** A message for one person, ready to go through a provider. */
type Handing = (recipient: Recipient, values: ReadonlyMap<string, string>) => Promise<HandOver>;

export interface Readied {
  readonly recipients: readonly Recipient[];
  /** What the placeholders stand for, by person. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const nobodyKnows = (error: Error): HandOver => ({ outcome: 'uncertain', reply: error.name });

/** Hands a message to everybody in the window. Whatever happens to one is nothing to the others. */
export async function handOver(
  work: Work,
  run: Run,
  providers: Providers,
  { recipients, values }: Readied,
  onAnswer: (recipient: Recipient, answer: HandOver) => void,
): Promise<void> {
  const hand = run.draft.channel === 'email' ? emailTo(work, run, providers) : textTo(work, run, providers);
  await Promise.all(
    recipients.map(async (recipient) => {
      const own = values.get(recipient.person_id) ?? new Map<string, string>();
      onAnswer(recipient, await hand(recipient, own).catch(nobodyKnows));
    }),
  );
}

function emailTo(work: Work, run: Run, providers: Providers): Handing {
  const { sender, dkim, row } = run;
  if (sender === undefined || dkim === undefined) throw new Error('an email run has a sender');
  const { keys, mail, org } = work;
  const sending = { keys, mail, org, broadcastId: row.id, sender, dkim };
  return async (recipient, values) => {
    const urls = publicUrls(keys, mail.publicUrl, { org, delivery: recipient.id });
    const { subject, html, text } = writeLetter(run, values, urls);
    const to = recipient.address;
    const email = composeEmail({ ...sending, delivery: recipient.id, to, subject, html, text });
    return through(run, providers.email, recipient).send(email);
  };
}

function textTo(work: Work, run: Run, providers: Providers): Handing {
  const { smsNumber } = run;
  if (smsNumber === undefined) throw new Error('a run of texts has a number');
  return async (recipient, values) =>
    through(run, providers.text, recipient).send({
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
  if (testRecipients !== undefined && !mayReally(testRecipients, address)) return sink;
  return provider ?? sink; // without a provider only test organizations get here
}
