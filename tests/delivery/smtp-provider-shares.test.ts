import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { startSmtpScript } from '../support/smtp-script.ts';
import { anEmail, providerTo } from './smtp-email.ts';

const newOrg = () => newId(new Date()) as OrgId;

test.each([
  ['a connection', { connections: 2 }, (n: number) => `p${n}@mbox${n}.test`],
  ['a place of a receiver', { connections: 30 }, () => 'p@gmail.com'],
])('the next message to get %s is of the organization that sent least', async (_, options, address) => {
  const begun = Promise.withResolvers<void>();
  const server = await startSmtpScript(async (stage) => {
    if (stage !== 'message') return undefined;
    begun.resolve();
    await pause(50); // slow, so that the others come while most still wait
    return undefined;
  });
  const provider = providerTo(server.port, options);
  const done: string[] = [];
  const send = (whose: string, org: OrgId, count: number) =>
    Array.from({ length: count }, async (__, n) => {
      const { outcome } = await provider.send(anEmail({ org, to: address(n) }));
      done.push(`${whose} ${outcome}`);
    });
  const sending = send('much', newOrg(), 60);
  await begun.promise;
  sending.push(...send('little', newOrg(), 5));
  await Promise.all(sending);
  expect(done.filter((one) => one === 'little sent')).toHaveLength(5);
  expect(done.lastIndexOf('little sent')).toBeLessThan(30);
  await provider.close();
  await server.close();
});
