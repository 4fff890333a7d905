import { describe, expect, test } from 'vitest';
import { judgeRecords, type Answers } from '../../src/domain/senders/judge-records.ts';
import type { Answer } from '../../src/domain/senders/look-up.ts';

const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA';
const domain = {
  domain: 'acme.example',
  ownership_token: 'a1b2',
  dkim_selector: 'rostrum1',
  dkim_public_key: key,
};
const returnPathHost = 'bounce.rostrum.example';

const found = (...values: string[]): Answer => ({ kind: 'found', values });
const nothing: Answer = { kind: 'nothing' };
const unreachable: Answer = { kind: 'unreachable', reason: 'SERVFAIL' };
const own = '_dmarc.acme.example';

const right: Answers = {
  ownership: found('rostrum-domain=a1b2'),
  dkim: found(`v=DKIM1; k=rsa; p=${key}`),
  return_path: found(returnPathHost),
  dmarc: [{ host: own, answer: found('v=DMARC1; p=none') }],
};

const judge = (answers: Partial<Answers>) => judgeRecords(domain, returnPathHost, { ...right, ...answers });
const isFound = { status: 'found', detail: null };

test('what is right is found, and nothing more is said of it', () => {
  expect(judge({})).toEqual({ ownership: isFound, dkim: isFound, return_path: isFound, dmarc: isFound });
});

test.each(['ownership', 'dkim', 'return_path'] as const)(
  'no %s record is missing, and one that cannot be looked up is neither there nor missing',
  (purpose) => {
    expect(judge({ [purpose]: nothing })[purpose]).toEqual({ status: 'missing', detail: null });
    expect(judge({ [purpose]: unreachable })[purpose]).toEqual({
      status: 'unreachable',
      detail: 'The name servers gave no answer (SERVFAIL).',
    });
  },
);

describe('the ownership record', () => {
  test.each<[string, Answer, string]>([
    ['stands among other texts', found('v=spf1 -all', 'rostrum-domain=a1b2'), 'found'],
    [
      'stands beside the token of another organization',
      found('rostrum-domain=zzz', 'rostrum-domain=a1b2'),
      'found',
    ],
    ['may have space around it', found(' rostrum-domain=a1b2 '), 'found'],
    ['has another token', found('rostrum-domain=a1b3'), 'wrong'],
    ['has more than the token', found('rostrum-domain=a1b2 and more'), 'wrong'],
    ['is missing where a wildcard answers with other text', found('v=spf1 -all'), 'missing'],
  ])('%s', (_, ownership, status) => {
    expect(judge({ ownership }).ownership.status).toBe(status);
  });
});

describe('the DKIM record', () => {
  test.each<[string, string, string, RegExp?]>([
    ['without v=', `k=rsa; p=${key}`, 'found'],
    ['without k=, which is rsa then', `v=DKIM1; p=${key}`, 'found'],
    ['without any space, and with a semicolon at its end', `v=DKIM1;k=rsa;p=${key};`, 'found'],
    ['with space within the key', `v=DKIM1; k=rsa; p=${key.slice(0, 20)} \t${key.slice(20)}`, 'found'],
    ['with space around its signs', ` v = DKIM1 ; k = rsa ; p = ${key} `, 'found'],
    ['with notes and flags', `v=DKIM1; k=rsa; t=s; n=hello; p=${key}`, 'found'],
    ['that allows sha256 and email', `v=DKIM1; h=sha1:sha256; s=email; p=${key}`, 'found'],
    ['with v= not at first', `k=rsa; v=DKIM1; p=${key}`, 'wrong', /come first/],
    ['of another version', `v=DKIM2; p=${key}`, 'wrong', /DKIM1/],
    ['with another kind of key', `v=DKIM1; k=ed25519; p=${key}`, 'wrong', /k= must be rsa/],
    ['with another key', `v=DKIM1; p=${key}A`, 'wrong', /another key/],
    ['whose letters have another case', `v=DKIM1; p=${key.toLowerCase()}`, 'wrong', /another key/],
    ['without a key', 'v=DKIM1; k=rsa', 'wrong', /no p=/],
    ['with a revoked key', 'v=DKIM1; p=', 'wrong', /revokes/],
    ['that names p twice', `v=DKIM1; p=${key}; p=${key}`, 'wrong', /cannot be read/],
    ['with its semicolons escaped', `v=DKIM1\\; k=rsa\\; p=${key}`, 'wrong', /DKIM1/],
    ['that allows sha1 only', `v=DKIM1; h=sha1; p=${key}`, 'wrong', /sha256/],
    ['that is for another service', `v=DKIM1; s=chat; p=${key}`, 'wrong', /email/],
    ['that is something else', 'hello', 'wrong', /cannot be read as tags: "hello"/],
    ['that is empty', '', 'wrong', /no p=/],
  ])('%s is %s', (_, record, status, detail = /^$/) => {
    const { dkim } = judge({ dkim: found(record) });
    expect(dkim.status).toBe(status);
    expect(dkim.detail ?? '').toMatch(detail);
  });

  test('twice is wrong, even the same', () => {
    const twice = found(`v=DKIM1; p=${key}`, `v=DKIM1; p=${key}`);
    expect(judge({ dkim: twice }).dkim.status).toBe('wrong');
  });

  test('of 64 KB full of space is judged at once', () => {
    const began = process.cpuUsage();
    for (const record of [' '.repeat(65_000), `v=DKIM1; p=${' '.repeat(65_000)}x`, ';'.repeat(65_000)]) {
      judge({ dkim: found(record), dmarc: [{ host: own, answer: found(`v=DMARC1;${record}`) }] });
    }
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
  });
});

describe('the return path', () => {
  test.each([
    ['with a final dot', 'bounce.rostrum.example.', 'found'],
    ['in capitals', 'BOUNCE.Rostrum.Example', 'found'],
    ['to another host', 'bounce.elsewhere.example', 'wrong'],
    ['to a host below ours', 'a.bounce.rostrum.example', 'wrong'],
  ])('%s: %s is %s', (_, target, status) => {
    expect(judge({ return_path: found(target) }).return_path.status).toBe(status);
  });
});

describe('the DMARC record', () => {
  test.each([
    ['v=DMARC1; p=reject', 'found'],
    ['v=DMARC1;p=quarantine;rua=mailto:a@b.example', 'found'],
    ['v=DMARC1; sp=none; P=None;', 'found'],
    [' v = DMARC1 ; p = none', 'found'],
    ['v=DMARC1', 'wrong'],
    ['v=DMARC1; sp=none', 'wrong'],
    ['v=DMARC1; p=block', 'wrong'],
    ['v=DMARC1; xp=none', 'wrong'],
    ['v=DMARC12; p=none', 'missing'],
    ['v=dmarc1; p=none', 'missing'],
    ['p=none; v=DMARC1', 'missing'],
    ['v=spf1 -all', 'missing'],
  ])('%s is %s', (record, status) => {
    const answer = found(record, 'something else');
    expect(judge({ dmarc: [{ host: own, answer }] }).dmarc.status).toBe(status);
  });

  test('several are wrong', () => {
    const answer = found('v=DMARC1; p=none', 'v=DMARC1; p=none');
    expect(judge({ dmarc: [{ host: own, answer }] }).dmarc.status).toBe('wrong');
  });

  test('of a name above does when there is none below, and the lowest decides', () => {
    const above = { host: '_dmarc.example', answer: found('v=DMARC1; p=reject') };
    expect(judge({ dmarc: [{ host: own, answer: nothing }, above] }).dmarc).toEqual({
      status: 'found',
      detail: 'Found at _dmarc.example.',
    });
    expect(judge({ dmarc: [{ host: own, answer: found('v=spf1') }, above] }).dmarc.status).toBe('found');
    expect(judge({ dmarc: [{ host: own, answer: found('v=DMARC1') }, above] }).dmarc.status).toBe('wrong');
    expect(judge({ dmarc: [{ host: own, answer: unreachable }, above] }).dmarc.status).toBe('unreachable');
    expect(judge({ dmarc: [{ host: own, answer: nothing }] }).dmarc.status).toBe('missing');
  });
});

test('what strangers published is quoted short and in letters that can be stored', () => {
  const { ownership } = judge({ ownership: found(`\u0000\u202e"é${'x'.repeat(500)}`) });
  expect(ownership.detail).toMatch(/^Found other text: "\?\?"\?x{116}…"\.$/);
});
