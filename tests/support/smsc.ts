import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import smpp, { type Fields, type Pdu, type Session } from 'smpp';

/** A short message as it was submitted: one text, or part of one. */
export interface Submitted {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly dataCoding: number;
  readonly esmClass: number;
  readonly asksReceipt: boolean;
  readonly part: { readonly reference: number; readonly total: number; readonly at: number } | undefined;
}

/** What it does with a short message: a status to refuse it with, or a way to say nothing. */
export type Behaviour =
  | { readonly status: string }
  | 'silent'
  | 'drop'
  | { readonly delayMs: number }
  | undefined;

export interface SmscOptions {
  readonly password?: string;
  /** By parameters as in 3.4, by words alone as before, or none. */
  readonly receipts?: 'parameters' | 'words' | 'none';
  /** Receipts before the answer to submit_sm: some do. */
  readonly hasty?: boolean;
  readonly port?: number;
}

/** An SMSC: takes what is submitted, tells what became of it, and hands over texts until they are taken. */
export interface Smsc {
  readonly port: number;
  readonly url: string;
  readonly submitted: Submitted[];
  readonly binds: Pdu[];
  /** What each delivery was answered with, in order. */
  readonly answers: number[];
  /** Asked for each short message. */
  behave: (submitted: Omit<Submitted, 'id'>) => Behaviour;
  /** How a text ends; the words of the receipt. */
  fate: (submitted: Submitted) => { readonly stat: string; readonly err?: string };
  /** Whether it answers enquire_link. */
  answersEnquiries: boolean;
  /** How often it was asked whether it is there. */
  enquiries: number;
  /** Whole texts, put together from their parts. */
  texts(): { from: string; to: string; body: string; parts: number }[];
  /** Hands over a text to whoever is bound, again and again until it is taken. */
  deliver(from: string, to: string, body: string, fields?: Fields): Promise<void>;
  dropSessions(): void;
  stop(): Promise<void>;
}

const statNumbers: Readonly<Record<string, number>> = {
  DELIVRD: 2,
  EXPIRED: 3,
  UNDELIV: 5,
  ACCEPTD: 6,
  REJECTD: 8,
};
const againMs = 200;
let made = 0;

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const { password = 'pw', receipts = 'parameters', hasty = false } = options;
  let stopped = false;
  const live = new Set<Session>();

  const tell = async (fields: Fields): Promise<void> => {
    while (!stopped) {
      const [session] = live;
      const status = session === undefined ? undefined : await deliverTo(session, fields);
      if (status !== undefined) smsc.answers.push(status);
      if (status === 0) return;
      await pause(againMs);
    }
  };

  const report = async (one: Submitted): Promise<void> => {
    const { stat, err = '000' } = smsc.fate(one);
    const words = `id:${one.id} sub:001 dlvrd:001 submit date:2611142252 done date:2611142253 stat:${stat} err:${err} text:`;
    await tell({
      source_addr: one.to,
      source_addr_ton: 1,
      destination_addr: one.from,
      dest_addr_ton: 1,
      esm_class: 4,
      short_message: words,
      data_coding: 0,
      ...(receipts === 'parameters' && { receipted_message_id: one.id, message_state: statNumbers[stat] }),
    });
  };

  const take = async (session: Session, pdu: Pdu): Promise<void> => {
    const read = readSubmit(pdu);
    const behaviour = smsc.behave(read);
    if (behaviour === 'silent') return;
    if (behaviour === 'drop') return session.destroy();
    if (behaviour !== undefined && 'status' in behaviour) {
      session.send(pdu.response({ command_status: smpp.errors[behaviour.status] }));
      return;
    }
    const id = `m${(++made).toString(16).padStart(6, '0')}`;
    const one = { id, ...read };
    smsc.submitted.push(one);
    const told = one.asksReceipt && receipts !== 'none';
    if (told && hasty) void report(one);
    if (behaviour !== undefined) await pause(behaviour.delayMs);
    session.send(pdu.response({ message_id: id }));
    if (told && !hasty) void report(one);
  };

  const server = smpp.createServer((session) => {
    session.setMaxListeners(0); // each that waits for an answer listens for the end
    session.on('error', () => session.destroy());
    session.on('close', () => live.delete(session));
    for (const bind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
      session.on(bind, (pdu: Pdu) => {
        smsc.binds.push(pdu);
        const right = pdu.password === password;
        session.send(
          pdu.response(right ? { system_id: 'SIM' } : { command_status: smpp.errors['ESME_RINVPASWD'] }),
        );
        if (right && bind !== 'bind_transmitter') live.add(session);
      });
    }
    session.on('enquire_link', (pdu: Pdu) => {
      smsc.enquiries += 1;
      if (smsc.answersEnquiries) session.send(pdu.response());
    });
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('submit_sm', (pdu: Pdu) => void take(session, pdu));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const smsc: Smsc = {
    port,
    url: `smpp://rostrum:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    submitted: [],
    binds: [],
    answers: [],
    behave: () => undefined,
    fate: () => ({ stat: 'DELIVRD' }),
    answersEnquiries: true,
    enquiries: 0,
    texts: () => together(smsc.submitted),
    deliver: (from, to, body, fields = {}) =>
      tell({
        source_addr: from,
        source_addr_ton: 1,
        destination_addr: to,
        dest_addr_ton: 1,
        short_message: body,
        ...fields,
      }),
    dropSessions: () => {
      for (const session of server.sessions.slice()) session.destroy();
    },
    stop: async () => {
      stopped = true;
      smsc.dropSessions();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return smsc;
}

const deliverTo = (session: Session, fields: Fields): Promise<number | undefined> =>
  new Promise((resolve) => {
    const gone = () => resolve(undefined);
    session.once('close', gone);
    const written = session.deliver_sm(fields, ({ command_status }) => {
      session.off('close', gone);
      resolve(command_status);
    });
    if (!written) gone();
  });

function readSubmit(pdu: Pdu): Omit<Submitted, 'id'> {
  const { message = '', udh = [] } = pdu.short_message ?? {};
  const joined = udh.find((element) => element[0] === 0);
  return {
    from: pdu.source_addr ?? '',
    to: pdu.destination_addr ?? '',
    body: message.toString(),
    dataCoding: pdu.data_coding ?? -1,
    esmClass: pdu.esm_class ?? -1,
    asksReceipt: ((pdu.registered_delivery ?? 0) & 1) === 1,
    part: joined && { reference: joined[2]!, total: joined[3]!, at: joined[4]! },
  };
}

/** As a phone does: by sender and reference, in the order of their numbers, once all of them are there. */
function together(submitted: readonly Submitted[]) {
  const texts: { from: string; to: string; body: string; parts: number }[] = [];
  const open = new Map<string, Submitted[]>();
  for (const one of submitted) {
    const { from, to, body, part } = one;
    if (part === undefined) {
      texts.push({ from, to, body, parts: 1 });
      continue;
    }
    const key = `${from} ${to} ${part.reference} ${part.total}`;
    const parts = [...(open.get(key) ?? []), one].toSorted((a, b) => a.part!.at - b.part!.at);
    open.set(key, parts);
    if (parts.length < part.total) continue;
    open.delete(key);
    texts.push({ from, to, body: parts.map((each) => each.body).join(''), parts: parts.length });
  }
  return texts;
}
