/** What a sending domain must publish, in the order in which it is checked and reported. */
export const purposes = ['ownership', 'dkim', 'return_path', 'dmarc'] as const;
export type Purpose = (typeof purposes)[number];

/** What a domain's records are made of. */
export interface DomainKeys {
  readonly domain: string;
  readonly ownership_token: string;
  readonly dkim_selector: string;
  readonly dkim_public_key: string;
}

export interface WantedRecord {
  readonly type: 'TXT' | 'CNAME';
  readonly host: string;
  /** For dmarc a suggestion: any policy does. */
  readonly value: string;
}

export const wantedRecords = (
  domain: DomainKeys,
  returnPathHost: string,
): Readonly<Record<Purpose, WantedRecord>> => ({
  ownership: {
    type: 'TXT',
    host: `_rostrum.${domain.domain}`,
    value: `rostrum-domain=${domain.ownership_token}`,
  },
  dkim: {
    type: 'TXT',
    host: `${domain.dkim_selector}._domainkey.${domain.domain}`,
    value: `v=DKIM1; k=rsa; p=${domain.dkim_public_key}`,
  },
  return_path: { type: 'CNAME', host: `bounce.${domain.domain}`, value: returnPathHost },
  dmarc: { type: 'TXT', host: dmarcHost(domain.domain), value: 'v=DMARC1; p=none' },
});

export const dmarcHost = (name: string): string => `_dmarc.${name}`;

/** What a check found in the place of a record. */
export interface Finding {
  readonly status: 'found' | 'missing' | 'wrong' | 'unreachable';
  readonly detail: string | null;
}
export type Findings = Readonly<Record<Purpose, Finding>>;

const names: Readonly<Record<Purpose, string>> = {
  ownership: 'ownership',
  dkim: 'DKIM',
  return_path: 'return path',
  dmarc: 'DMARC',
};

const faults: Readonly<Record<Exclude<Finding['status'], 'found'> | 'unchecked', string>> = {
  missing: 'is missing',
  wrong: 'is wrong',
  unreachable: 'could not be looked up and will be tried again in some minutes',
  unchecked: 'was not looked up yet',
};

/** The first record that is not right and what it should be. Never quotes the published record, a stranger's text. */
export function reasonOf(
  wanted: Readonly<Record<Purpose, WantedRecord>>,
  findings: Partial<Findings>,
): string {
  const purpose = purposes.find((one) => findings[one]?.status !== 'found') ?? 'ownership';
  const { type, host, value } = wanted[purpose];
  const status = findings[purpose]?.status ?? 'unchecked';
  const fault = status === 'found' ? faults.unchecked : faults[status];
  const such = purpose === 'dmarc' ? 'a value such as' : 'the value';
  return `The ${names[purpose]} record ${fault}: ${host} should be a ${type} record with ${such} "${value}".`;
}
