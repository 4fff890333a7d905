import { createSign, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDkimKey } from '../../src/domain/senders/dkim-key.ts';
import type { OrgId, SendingDomainId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newDomain, newSender, recordOf, type Answered } from './sending-domain.ts';

const world = useWorld();

interface Kept {
  readonly id: SendingDomainId;
  readonly dkim_public_key: string;
  readonly dkim_private_key: Buffer;
}

async function readKept(org: TestOrg, { id }: Answered): Promise<Kept> {
  const { rows } = await world().admin.query<Kept>(
    'select id, dkim_public_key, dkim_private_key from sending_domains where org_id = $1 and id = $2',
    [org.id, id],
  );
  return rows[0]!;
}

const stored = () => keyring(world().config).stored;

test('the key that is kept signs what the published one verifies', async () => {
  const org = await world().newOrg();
  const domain = await newDomain(org, 'signs.example');
  const [, published = ''] = /^v=DKIM1; k=rsa; p=(.+)$/.exec(recordOf(domain, 'dkim').value) ?? [];
  const kept = await readKept(org, domain);
  expect(kept.dkim_public_key).toBe(published);
  const key = openDkimKey(stored(), org.id, kept);
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2_048 });
  const signature = createSign('RSA-SHA256').update('a message').sign(key);
  const pem = `-----BEGIN PUBLIC KEY-----\n${published}\n-----END PUBLIC KEY-----`;
  expect(createVerify('RSA-SHA256').update('a message').verify(pem, signature)).toBe(true);
});

test('a key opens for its own organization and domain only, by the secret it was sealed with', async () => {
  const org = await world().newOrg();
  const kept = await readKept(org, await newDomain(org, 'bound.example'));
  const other = await readKept(org, await newDomain(org, 'other.example'));
  const cannot = /cannot be opened/;
  expect(() => openDkimKey(stored(), randomUUID() as OrgId, kept)).toThrow(cannot);
  expect(() => openDkimKey(stored(), org.id, { ...kept, id: other.id })).toThrow(cannot);
  expect(() => openDkimKey(stored(), org.id, { ...kept, dkim_private_key: other.dkim_private_key })).toThrow(
    cannot,
  );
  const elsewhere = keyring({ ROSTRUM_SECRET: 'another secret that is long enough' }).stored;
  expect(() => openDkimKey(elsewhere, org.id, kept)).toThrow(cannot);
});

test('a key that is not the half of what DNS shows is refused, of whatever kind it is', async () => {
  const org = await world().newOrg();
  const kept = await readKept(org, await newDomain(org, 'swapped.example'));
  const other = await readKept(org, await newDomain(org, 'half.example'));
  const mismatched = { ...kept, dkim_public_key: other.dkim_public_key };
  expect(() => openDkimKey(stored(), org.id, mismatched)).toThrow(/not the one in its DNS record/);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const place = `dkim key of ${org.id} ${kept.id}`;
  const ed25519 = {
    ...kept,
    dkim_public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    dkim_private_key: stored().seal(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, place),
  };
  expect(() => openDkimKey(stored(), org.id, ed25519)).toThrow(/not the one in its DNS record/);
});

test('the private key stands nowhere but sealed in its row: in no answer, log line, message or other row', async () => {
  const org = await world().newOrg();
  const answers: unknown[] = [];
  const made = await org.rest(
    'POST /v1/senders',
    { name: 'News', email: 'news@secret.example' },
    { 'idempotency-key': 'one' },
  );
  answers.push(made.body);
  const { sender, sending_domain: domain } = made.body;
  for (const route of [
    `GET /v1/sending-domains/${domain.id}`,
    'GET /v1/sending-domains',
    'GET /v1/senders',
    `POST /v1/sending-domains/${domain.id}/check`,
    `PATCH /v1/senders/${sender.id}`,
  ]) {
    answers.push(
      (
        await org.rest(
          route,
          route.startsWith('GET') ? undefined : route.startsWith('PATCH') ? { name: 'N' } : {},
        )
      ).body,
    );
  }
  answers.push((await org.tool('list_senders')).body);
  const kept = await readKept(org, domain);
  const pem = openDkimKey(stored(), org.id, kept).export({ type: 'pkcs8', format: 'pem' }) as string;
  const lines = pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'));
  expect(lines.length).toBeGreaterThan(20);
  const tells = (text: string): boolean =>
    text.includes('PRIVATE KEY') ||
    lines.some((line) => text.includes(line)) ||
    text.includes(kept.dkim_private_key.toString('hex')) ||
    text.includes(kept.dkim_private_key.toString('base64'));
  expect(tells(pem)).toBe(true);
  expect(answers.filter((answer) => tells(JSON.stringify(answer)))).toEqual([]);
  expect(world().logLines.filter(tells)).toEqual([]);
  for (const table of ['outbox', 'audit_log', 'idempotent_answers', 'senders']) {
    const { rows } = await world().admin.query<{ row: string }>(`select t::text as row from ${table} t`);
    expect({ table, some: rows.length > 0, telling: rows.filter(({ row }) => tells(row)) }).toEqual({
      table,
      some: true,
      telling: [],
    });
  }
  expect(kept.dkim_private_key.includes('PRIVATE')).toBe(false);
});

test('every domain has a key, a selector and a token of its own, and a second sender shares them', async () => {
  const org = await world().newOrg();
  const first = await newSender(org, 'a@one.example');
  const second = await newSender(org, 'b@one.example');
  const other = await newSender(org, 'a@two.example');
  expect(second.domain.records).toEqual(first.domain.records);
  for (const purpose of ['dkim', 'ownership'] as const) {
    expect(recordOf(other.domain, purpose).value).not.toBe(recordOf(first.domain, purpose).value);
  }
});
