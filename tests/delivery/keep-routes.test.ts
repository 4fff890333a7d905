import { expect, onTestFinished, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Providers } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { removeRoute } from '../../src/domain/delivery/providers/routes.ts';
import { keyring } from '../../src/main/keys.ts';
import { openRoutes } from '../../src/main/providers.ts';
import { newRoute, setRoute, useRoute } from '../support/route.ts';
import { startSmtpScript } from '../support/smtp-script.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { anEmail } from './smtp-email.ts';

const world = useWorld();

function newKeeper(secret = world().config.ROSTRUM_SECRET) {
  const { config, database } = world();
  const troubles: string[] = [];
  const hear = () => ({ onReceipt: async () => {}, onText: async () => {}, onTrouble: () => {} });
  const routes = openRoutes(
    config,
    { database, keys: keyring({ ROSTRUM_SECRET: secret }) },
    hear,
    (route, error) => troubles.push(`${route}: ${error.message}`),
  );
  onTestFinished(() => routes.close());
  const of = (org: TestOrg): Promise<Providers> =>
    orgTransaction(database, org.id, 'write', (db) => routes.find({ db }, 'email'));
  return { ...routes, of, troubles };
}

async function newServer() {
  const begun = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  const server = await startSmtpScript(async (stage) => {
    if (stage !== 'message') return undefined;
    begun.resolve();
    await answering.promise;
    return undefined;
  });
  onTestFinished(() => server.close());
  return { server, begun: begun.promise, answer: answering.resolve, url: `smtp://127.0.0.1:${server.port}` };
}

const budgetsOf = ({ budgets }: ReturnType<typeof newKeeper>) =>
  budgets().map(({ name, total }) => `${name} ${total}`);

test('a route has connections and receivers’ budgets of its own, and begins with one of each', async () => {
  const { url, answer, server } = await newServer();
  answer();
  await newRoute(world(), 'own', { SMTP_URL: url, SMTP_CONNECTIONS: '7' });
  const keeper = newKeeper();
  await keeper.refresh();
  expect(budgetsOf(keeper)).toEqual(['own connections 7', 'own google 5', 'own microsoft 5', 'own yahoo 5']);
  const org = await world().newOrg();
  expect(await keeper.of(org)).toMatchObject({ route: 'default', email: undefined });
  await useRoute(world(), org, 'own');
  const { email, route } = await keeper.of(org);
  expect(route).toBe('own');
  const sent = await Promise.all([1, 2, 3].map(() => email!.send(anEmail())));
  expect(sent.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent']);
  expect(server.connections).toBe(1);
});

test('a change holds for the next window without a look in between; what is under way ends first, then it is closed', async () => {
  const [old, fresh] = [await newServer(), await newServer()];
  fresh.answer();
  await newRoute(world(), 'moved', { SMTP_URL: old.url });
  const org = await world().newOrg();
  await useRoute(world(), org, 'moved');
  const keeper = newKeeper();
  const before = await keeper.of(org);
  const underWay = before.email!.send(anEmail());
  await old.begun;
  await setRoute(world(), 'moved', { SMTP_URL: fresh.url });
  const after = await keeper.of(org);
  expect((await after.email!.send(anEmail())).outcome).toBe('sent');
  expect([old, fresh].map(({ server }) => server.received.length)).toEqual([1, 1]);
  old.answer();
  expect((await underWay).outcome).toBe('sent');
  await expect.poll(() => old.server.commands.at(-1)).toMatch(/^QUIT/i); // long before an idle line is given up
  // Whoever still has the old one in hand is not lost.
  expect((await before.email!.send(anEmail())).outcome).toBe('sent');
});

test('a route in use stays; once nobody uses it, it can be removed and is let go of', async () => {
  const { url, answer, server } = await newServer();
  answer();
  const { database } = world();
  await newRoute(world(), 'going', { SMTP_URL: url });
  const org = await world().newOrg();
  await useRoute(world(), org, 'going');
  const keeper = newKeeper();
  await (await keeper.of(org)).email!.send(anEmail());
  expect(await removeRoute(database, 'going', new Date())).toEqual([org.id]);
  await keeper.refresh();
  expect((await keeper.of(org)).route).toBe('going');
  await useRoute(world(), org, 'default');
  expect(await removeRoute(database, 'going', new Date())).toEqual([]);
  expect(await removeRoute(database, 'going', new Date())).toBeUndefined();
  await keeper.refresh();
  expect(budgetsOf(keeper).join()).not.toContain('going');
  await expect.poll(() => server.commands.at(-1)).toMatch(/^QUIT/i);
});

test('a route whose secret is not known sends nothing, says so, and leaves the others alone', async () => {
  const { url, answer } = await newServer();
  answer();
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  await newRoute(world(), 'sealed', { SMTP_URL: url });
  await useRoute(world(), org, 'sealed');
  const keeper = newKeeper('another secret than the one that sealed it');
  const { email } = await keeper.of(org);
  expect((await email!.send(anEmail())).outcome).toBe('unreached');
  expect(keeper.troubles).toContain('sealed: its settings were sealed by a secret that is not known');
  expect((await keeper.of(other)).route).toBe('default');
});
