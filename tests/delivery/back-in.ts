import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { tokenFor, type TokenPurpose } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { serveMailbox, type Mailbox, type MailboxOptions } from '../../src/faces/mailbox/serve-mailbox.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import type { About } from './dsn-samples.ts';

// Rows and answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface Sent extends About {
  readonly org: TestOrg;
  readonly delivery: number;
  readonly broadcast: string;
  readonly person: string;
  readonly token: string;
}

/** One email as sending leaves it: a recipient's row, and the names it goes by outside. */
export async function newSent(
  world: World,
  org: TestOrg,
  { to, person, state = 'sent', at }: { to?: string; person?: string; state?: string; at?: Date } = {},
): Promise<Sent> {
  const address = to ?? `ada-${randomUUID().slice(0, 8)}@receiver.test`;
  const who = person ?? (await org.person({ email: address }));
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>' });
  const now = at ?? (await clockOf(world, org));
  const { rows } = await world.admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     values ($1, $2, $3, 'pending', $4) returning id::float8`,
    [org.id, id, who, now],
  );
  const delivery: number = rows[0].id;
  if (state === 'sending') {
    await world.admin.query(`update deliveries set state = 'sending' where id = $1`, [delivery]);
  } else if (state !== 'pending') {
    await world.admin.query(
      `update deliveries set state = $2, address = $3, sent_at = case when $2 = 'sent' then $4::timestamptz end
       where id = $1`,
      [delivery, state, address, now],
    );
  }
  const token = tokenOf(world, org, delivery);
  return {
    org,
    delivery,
    broadcast: id,
    person: who,
    token,
    to: address,
    returnPath: `b-${token}@bounce.sender.test`,
    messageId: `${tokenOf(world, org, delivery, 'message')}@sender.test`,
  };
}

export const tokenOf = (
  { config }: World,
  org: TestOrg,
  delivery: number,
  purpose: TokenPurpose = 'bounce',
): string => tokenFor(keyring(config), purpose, { org: org.id, delivery });

async function clockOf({ admin, clock }: World, org: TestOrg): Promise<Date> {
  const { rows } = await admin.query('select clock_ahead_ms::float8 from organizations where id = $1', [
    org.id,
  ]);
  return new Date(clock.now().getTime() + rows[0].clock_ahead_ms);
}

/** Everything a notice may change, to see what did. */
export async function stateOf({ admin }: World, { org, delivery, broadcast, person }: Sent): Promise<Json> {
  const one = async (sql: string, ...values: unknown[]) => (await admin.query(sql, values)).rows;
  const [row] = await one('select * from deliveries where id = $1', delivery);
  const [totals] = await one(
    `select bounced::int, complained::int, delivered::int, unsubscribed::int from broadcasts where id = $1`,
    broadcast,
  );
  return {
    row,
    totals,
    blacklist: await one(
      'select person_id, email, reason from email_blacklist where org_id = $1 order by email, person_id',
      org.id,
    ),
    events: await one(
      `select name, custom_properties from events where person_id = $1 and name like '$svc%' order by id`,
      person,
    ),
    audit: await one(
      `select operation, actor_kind, actor_id, ids from audit_log
       where org_id = $1 and operation like 'note_%' order by id`,
      org.id,
    ),
  };
}

export interface LoggedMailbox extends Mailbox {
  readonly lines: string[];
}

export async function openMailbox(
  world: World,
  options: Partial<MailboxOptions> = {},
): Promise<LoggedMailbox> {
  const { config, database, clock } = world;
  const lines: string[] = [];
  const mailbox = await serveMailbox({
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    host: '127.0.0.1',
    port: 0,
    clock,
    log: (level, fields, message) => void lines.push(JSON.stringify({ level, ...fields, message })),
    ...options,
  });
  return { ...mailbox, lines };
}

export function useMailbox(world: () => World): () => LoggedMailbox {
  let mailbox: LoggedMailbox | undefined;
  beforeAll(async () => {
    mailbox = await openMailbox(world());
  });
  afterAll(() => mailbox?.close());
  return () => mailbox!;
}

/** A conversation with the mailbox, line by line. */
export async function callMailbox(port: number) {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const hear = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return 'gone';
      if (value[3] !== '-') return value;
    }
  };
  const say = (line: string): Promise<string> => {
    socket.write(`${line}\r\n`);
    return hear();
  };
  const greeting = await hear();
  if (greeting.startsWith('220')) await say('EHLO mx.receiver.test');
  return {
    greeting,
    say,
    hear,
    write: (text: string) => void socket.write(text),
    end: () => void socket.destroy(),
  };
}

/** Hands a message to the mailbox, and answers what it said last: to the recipient it refused, or to the message. */
export async function mail(
  port: number,
  to: string | readonly string[],
  data: string,
  from = '',
): Promise<string> {
  const call = await callMailbox(port);
  try {
    await call.say(`MAIL FROM:<${from}>`);
    for (const one of [to].flat()) {
      const answer = await call.say(`RCPT TO:<${one}>`);
      if (!answer.startsWith('250')) return answer;
    }
    await call.say('DATA');
    const stuffed = data.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..');
    return await call.say(`${stuffed}\r\n.`);
  } finally {
    call.end();
  }
}
