import { afterAll, describe, expect, test } from 'vitest';
import { checkDomain } from '../../src/domain/senders/check-domain.ts';
import { dnsLookUp } from '../../src/durable/dns-look-up.ts';
import type { SendingDomainId } from '../../src/kernel/ids.ts';
import { startDns, type Published } from '../support/dns.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import {
  allFound,
  getDomain,
  newDomain,
  publishAll,
  recordOf,
  statuses,
  type Answered,
  type Purpose,
} from './sending-domain.ts';

const returnPathHost = 'bounce.mail.test';
const dns = await startDns();
afterAll(() => dns.stop());
const world = useWorld({ env: { MAIL_RETURN_PATH_HOST: returnPathHost } });

/** Looks at the domain through real servers, and reads how it stands then. */
async function check(org: TestOrg, { id }: Pick<Answered, 'id'>, servers = dns.servers): Promise<Answered> {
  const now = new Date();
  const parts = { database: world().database, lookUp: dnsLookUp([servers]), returnPathHost };
  await checkDomain(parts, { org: org.id, domain: id as SendingDomainId, askedAt: now }, now);
  return getDomain(org, id);
}

const readiness = async (org: TestOrg): Promise<{ ready: boolean; not_ready_reason: string | null }> => {
  const { ready, not_ready_reason } = (await org.rest('GET /v1/senders')).body.senders[0];
  return { ready, not_ready_reason };
};

test('SDR-002 SDR-003 a domain is verified once all four records are published, and its sender is ready', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'whole.acme.test');
  expect(statuses(made)).toEqual({
    ownership: 'unchecked',
    dkim: 'unchecked',
    return_path: 'unchecked',
    dmarc: 'unchecked',
  });
  const before = await check(org, made);
  expect(before).toMatchObject({ verified: false, verified_at: null });
  expect(new Set(Object.values(statuses(before)))).toEqual(new Set(['missing']));
  expect((await readiness(org)).ready).toBe(false);
  await publishAll(dns, made);
  const after = await check(org, made);
  expect(after).toMatchObject({ verified: true, checking: false });
  expect(after.verified_at).toBe(after.checked_at);
  expect(statuses(after)).toEqual(allFound);
  expect(await readiness(org)).toEqual({ ready: true, not_ready_reason: null });
  const later = await check(org, made);
  expect(later.verified_at).toBe(after.verified_at);
});

const names: Record<Purpose, string> = {
  ownership: 'ownership',
  dkim: 'DKIM',
  return_path: 'return path',
  dmarc: 'DMARC',
};

describe.each(['ownership', 'dkim', 'return_path', 'dmarc'] as const)('without its %s record', (purpose) => {
  test('SDR-003 a domain is not verified, the reason names the record, and later it is put right', async () => {
    const org = await world().newOrg();
    const made = await newDomain(org, `missing-${purpose.replace('_', '-')}.acme.test`);
    await publishAll(dns, made, [purpose]);
    const lacking = await check(org, made);
    expect(lacking.verified).toBe(false);
    expect(statuses(lacking)).toEqual({ ...allFound, [purpose]: 'missing' });
    const { host, type, value } = recordOf(made, purpose);
    const { ready, not_ready_reason } = await readiness(org);
    expect(ready).toBe(false);
    expect(not_ready_reason).toContain(
      `The ${names[purpose]} record is missing: ${host} should be a ${type}`,
    );
    expect(not_ready_reason).toContain(`"${value}".`);
    await dns.publish(recordOf(made, purpose));
    expect(await check(org, made)).toMatchObject({ verified: true });
  });
});

interface WrongCase {
  readonly title: string;
  readonly purpose: Purpose;
  /** What stands there instead. */
  readonly published: (right: Published) => readonly Published[];
  readonly detail: RegExp;
}

const another = (value: string) => (right: Published) => [{ ...right, value }];
const changed = (change: (value: string) => string) => (right: Published) => [
  { ...right, value: change(right.value) },
];

const wrong: WrongCase[] = [
  {
    title: "another organization's token",
    purpose: 'ownership',
    published: another('rostrum-domain=0123456789abcdef'),
    detail: /another token: "rostrum-domain=0123/,
  },
  {
    title: 'another key',
    purpose: 'dkim',
    published: changed((value) => value.replace('p=MIIB', 'p=MIIC')),
    detail: /another key/,
  },
  {
    title: 'a key that was revoked',
    purpose: 'dkim',
    published: another('v=DKIM1; k=rsa; p='),
    detail: /revokes/,
  },
  {
    title: 'a key cut short',
    purpose: 'dkim',
    published: changed((value) => value.slice(0, 255)),
    detail: /another key/,
  },
  {
    title: 'the key twice',
    purpose: 'dkim',
    published: (right) => [right, { ...right, value: right.value.replace('; ', ';') }],
    detail: /2 TXT records/,
  },
  {
    title: 'a return path to somebody else',
    purpose: 'return_path',
    published: another('bounce.parent.test'),
    detail: /points to "bounce\.parent\.test"/,
  },
  {
    title: 'two DMARC records',
    purpose: 'dmarc',
    published: (right) => [right, { ...right, value: 'v=DMARC1; p=reject' }],
    detail: /2 DMARC records/,
  },
  {
    title: 'a DMARC record without a policy',
    purpose: 'dmarc',
    published: another('v=DMARC1; rua=mailto:a@acme.test'),
    detail: /no p=/,
  },
];

/** Every one is a case of judge-records.test.ts; in the gate one of each record goes through real servers. */
const tried = wrong.filter(
  ({ purpose }, at) => isLong || wrong.findIndex((one) => one.purpose === purpose) === at,
);

test.each(tried)(
  'SDR-003 $title is wrong until it is put right',
  async ({ purpose, published, detail, title }) => {
    const org = await world().newOrg();
    const made = await newDomain(org, `${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.acme.test`);
    const right = recordOf(made, purpose);
    await publishAll(dns, made, [purpose]);
    await dns.publish(...published(right));
    const found = await check(org, made);
    expect(found.verified).toBe(false);
    expect(statuses(found)).toEqual({ ...allFound, [purpose]: 'wrong' });
    expect(recordOf(found, purpose).detail).toMatch(detail);
    const { not_ready_reason } = await readiness(org);
    expect(not_ready_reason).toContain(`The ${names[purpose]} record is wrong: ${right.host} should be`);
    await dns.withdraw(right.host);
    await dns.publish(right);
    expect(await check(org, made)).toMatchObject({ verified: true });
  },
);

test('two organizations verify one domain, each with its own token and key', async () => {
  const [ours, theirs] = [await world().newOrg(), await world().newOrg()];
  const [a, b] = [await newDomain(ours, 'shared.acme.test'), await newDomain(theirs, 'shared.acme.test')];
  await publishAll(dns, a);
  expect(await check(ours, a)).toMatchObject({ verified: true });
  expect(statuses(await check(theirs, b))).toEqual({ ...allFound, ownership: 'wrong', dkim: 'missing' });
  await dns.publish(recordOf(b, 'ownership'), recordOf(b, 'dkim'));
  expect(await check(theirs, b)).toMatchObject({ verified: true });
  expect(await check(ours, a)).toMatchObject({ verified: true });
});

test('the return path is a CNAME into another zone, in any case of letters', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'upper.acme.test');
  await publishAll(dns, made, ['return_path']);
  await dns.publish({ ...recordOf(made, 'return_path'), value: 'BOUNCE.Mail.Test' });
  expect(await check(org, made)).toMatchObject({ verified: true });
});

test('a DMARC record of the domain above does, and one of its own comes first', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'news.deep.parent.test');
  await publishAll(dns, made, ['dmarc']);
  const dmarc = async () => recordOf(await check(org, made), 'dmarc');
  expect(await dmarc()).toMatchObject({ status: 'missing' });
  await dns.publish({ host: '_dmarc.parent.test', type: 'TXT', value: 'v=DMARC1; p=quarantine' });
  expect(await dmarc()).toMatchObject({ status: 'found', detail: 'Found at _dmarc.parent.test.' });
  expect(await getDomain(org, made.id)).toMatchObject({ verified: true });
  await dns.publish({ host: '_dmarc.deep.parent.test', type: 'TXT', value: 'v=DMARC1; p=everything' });
  expect(await dmarc()).toMatchObject({ status: 'wrong' });
  await dns.publish({ ...recordOf(made, 'dmarc'), value: 'v=DMARC1; p=reject' });
  expect(await dmarc()).toMatchObject({ status: 'found', detail: null });
});

test('a domain with letters beyond ASCII is looked up by its name in DNS', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'München.acme.test');
  expect(made.domain).toBe('xn--mnchen-3ya.acme.test');
  await publishAll(dns, made);
  expect(await check(org, made)).toMatchObject({ verified: true });
});

test('SDR-003 a verified domain whose record is taken away is not ready at the next check', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'lost.acme.test');
  await publishAll(dns, made);
  expect(await check(org, made)).toMatchObject({ verified: true });
  await dns.withdraw(recordOf(made, 'dkim').host);
  expect((await readiness(org)).ready).toBe(true);
  expect(await check(org, made)).toMatchObject({ verified: false, verified_at: null });
  expect(await readiness(org)).toMatchObject({
    ready: false,
    not_ready_reason: expect.stringContaining('The DKIM record is missing'),
  });
});

describe('what cannot be looked up', () => {
  test('SDR-002 SDR-003 leaves a domain as it stood: with the resolver down neither is it verified nor does it lose that', async () => {
    const [verified, never] = [await world().newOrg(), await world().newOrg()];
    const [good, bare] = [
      await newDomain(verified, 'standing.acme.test'),
      await newDomain(never, 'unseen.acme.test'),
    ];
    await publishAll(dns, good);
    await publishAll(dns, bare);
    const before = await check(verified, good);
    await dns.stopResolver();
    try {
      const during = await check(verified, good);
      expect(new Set(Object.values(statuses(during)))).toEqual(new Set(['unreachable']));
      expect(during).toMatchObject({ verified: true, verified_at: before.verified_at });
      expect(await readiness(verified)).toEqual({ ready: true, not_ready_reason: null });
      expect(await check(never, bare)).toMatchObject({ verified: false });
      expect((await readiness(never)).not_ready_reason).toMatch(
        /^The ownership record could not be looked up and will be tried again in some minutes: _rostrum\.unseen/,
      );
    } finally {
      await dns.startResolver();
    }
    expect(await check(verified, good)).toMatchObject({ verified: true });
    expect(await check(never, bare)).toMatchObject({ verified: true });
  });

  test.each([
    ['fails', 'fails.failing.test', 'SERVFAIL'],
    ['is silent', 'waits.silent.test', 'TIMEOUT'],
  ])('is said to be so when a name server %s', async (_, domain, reason) => {
    const org = await world().newOrg();
    const found = await check(org, await newDomain(org, domain));
    for (const record of found.records) {
      expect(record).toMatchObject({ status: 'unreachable', detail: expect.stringContaining(reason) });
    }
  });

  test('is said to be so when it is refused', async () => {
    const org = await world().newOrg();
    const found = await check(org, await newDomain(org, 'nowhere.example'), dns.authoritative);
    expect(recordOf(found, 'dkim')).toMatchObject({
      status: 'unreachable',
      detail: expect.stringContaining('REFUSED'),
    });
  });

  test('does not hide a record that is missing for certain', async () => {
    const org = await world().newOrg();
    const made = await newDomain(org, 'half.acme.test');
    await publishAll(dns, made);
    expect(await check(org, made)).toMatchObject({ verified: true });
    const real = dnsLookUp([dns.servers]);
    const now = new Date();
    const lookUp = {
      cname: async () => ({ kind: 'unreachable' as const, reason: 'TIMEOUT' }),
      txt: (host: string) =>
        host.startsWith('_rostrum') ? Promise.resolve({ kind: 'nothing' as const }) : real.txt(host),
    };
    const asked = { org: org.id, domain: made.id as SendingDomainId, askedAt: now };
    const parts = { database: world().database, lookUp, returnPathHost };
    expect(await checkDomain(parts, asked, now)).toBe('lost');
    expect(statuses(await getDomain(org, made.id))).toEqual({
      ...allFound,
      ownership: 'missing',
      return_path: 'unreachable',
    });
  });
});
