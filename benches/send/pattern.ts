import PostalMime from 'postal-mime';

/** What the service sent, as another mailer needs it to send the same. */
export interface Pattern {
  readonly from: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Those of its own beside the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dkim: {
    readonly domain: string;
    readonly selector: string;
    readonly pem: string;
    /** The fields that were signed, each once. */
    readonly signed: readonly string[];
  };
}

const ownFields = ['List-Unsubscribe-Post', 'List-ID', 'Feedback-ID', 'Precedence'];

/** Reads a message of the service off the wire, so that whatever it comes to send, the other sends too. */
export async function patternOf(raw: string, pem: string): Promise<Pattern> {
  const email = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  const field = (name: string): string =>
    email.headers.find(({ key }) => key === name.toLowerCase())?.value ?? '';
  const signature = field('DKIM-Signature').replaceAll(/\s/g, '');
  const tag = (name: string): string => new RegExp(`(?:^|;)${name}=([^;]*)`).exec(signature)?.[1] ?? '';
  if (tag('b') === '' || email.html === undefined || email.text === undefined) {
    throw new Error('the service sent something that is no signed message of two parts');
  }
  return {
    from: field('From'),
    replyTo: field('Reply-To'),
    subject: email.subject ?? '',
    html: email.html,
    text: email.text,
    headers: Object.fromEntries(
      ownFields.map((name) => [name, field(name)]).filter(([, value]) => value !== ''),
    ),
    dkim: { domain: tag('d'), selector: tag('s'), pem, signed: [...new Set(tag('h').split(':'))] },
  };
}
