import type { Dns, Published } from '../support/dns.ts';
import type { TestOrg } from '../support/test-org.ts';

export type Purpose = 'ownership' | 'dkim' | 'return_path' | 'dmarc';

export interface DomainRecord extends Published {
  readonly purpose: Purpose;
  readonly status: string;
  readonly detail: string | null;
}

/** A sending domain as the service answers it. */
export interface Answered {
  readonly id: string;
  readonly domain: string;
  readonly verified: boolean;
  readonly verified_at: string | null;
  readonly checked_at: string | null;
  readonly checking: boolean;
  readonly records: readonly DomainRecord[];
}

/** Makes a sender and with it, if there is none yet, its domain. */
export async function newSender(
  org: TestOrg,
  email: string,
  more: object = {},
): Promise<{ id: string; domain: Answered }> {
  const { status, body } = await org.rest('POST /v1/senders', { name: 'News', email, ...more });
  if (status !== 201) throw new Error(`create_sender answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.sender.id, domain: body.sending_domain };
}

export const newDomain = async (org: TestOrg, domain: string): Promise<Answered> =>
  (await newSender(org, `news@${domain}`)).domain;

export const getDomain = async (org: TestOrg, id: string): Promise<Answered> =>
  (await org.rest(`GET /v1/sending-domains/${id}`)).body.sending_domain;

export const recordOf = ({ records }: Answered, purpose: Purpose): DomainRecord =>
  records.find((record) => record.purpose === purpose)!;

/** Publishes what the domain asks for, but for what is left out. */
export const publishAll = (dns: Dns, domain: Answered, except: readonly Purpose[] = []): Promise<void> =>
  dns.publish(...domain.records.filter(({ purpose }) => !except.includes(purpose)));

/** How each record stands, by purpose. */
export const statuses = ({ records }: Answered): Record<string, string> =>
  Object.fromEntries(records.map(({ purpose, status }) => [purpose, status]));

export const allFound = { ownership: 'found', dkim: 'found', return_path: 'found', dmarc: 'found' };
