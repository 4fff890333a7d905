import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/main/free-ports.ts';

/** Kannel, bound to an SMSC as its SMPP client: an implementation that thousands of SMSCs have met. */
export interface Kannel {
  /** Sends a text; the SMSC tells Kannel what became of it if asked. */
  send(from: string, to: string, body: string): Promise<void>;
  /** What came in from the SMSC. */
  readonly received: { from: string; to: string; body: string }[];
  /** What became of texts that were sent: 1 delivered, 2 not. */
  readonly receipts: number[];
  stop(): Promise<void>;
}

// Debian installs servers where only root looks.
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

export async function startKannel(smsc: { port: number; password: string }): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-kannel-'));
  const ports = { admin: await freePort(), smsbox: await freePort(), send: await freePort() };
  const received: Kannel['received'] = [];
  const receipts: number[] = [];
  const listener = createServer((request, response) => {
    const { pathname, searchParams: said } = new URL(request.url ?? '/', 'http://kannel');
    if (pathname === '/receipt') receipts.push(Number(said.get('type')));
    else received.push({ from: said.get('from')!, to: said.get('to')!, body: said.get('body')! });
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const back = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const file = join(folder, 'kannel.conf');
  writeFileSync(file, configuration({ folder, ports, smsc, back }));
  const boxes = [run('bearerbox', file)];
  await answers(`http://127.0.0.1:${ports.admin}/status`, boxes[0]!);
  boxes.push(run('smsbox', file));
  await answers(`http://127.0.0.1:${ports.send}/`, boxes[1]!);
  return {
    received,
    receipts,
    send: async (from, to, body) => {
      const question = new URLSearchParams({
        username: 'us',
        password: 'pw',
        from,
        to,
        charset: 'UTF-8',
        text: body,
        // What Kannel takes for GSM 03.38 it sends so by itself; for the rest it must be told.
        ...(isGsm(body) ? {} : { coding: '2' }),
        'dlr-mask': '3',
        'dlr-url': `${back}/receipt?type=%d`,
      });
      const response = await fetch(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms?${question.toString()}`);
      if (response.status !== 202) throw new Error(`Kannel answered ${response.status}`);
    },
    stop: async () => {
      for (const box of boxes.toReversed()) await end(box);
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isGsm = (body: string): boolean =>
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/u.test(body);

function run(program: string, file: string): ChildProcess {
  const child = spawn(program, ['-v', '4', file], { env, stdio: 'ignore' });
  child.on('error', () => undefined);
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await fetch(url).then(Boolean, () => false)) return;
    if (child.exitCode !== null || child.pid === undefined) break;
    await pause(50);
  }
  throw new Error('Kannel did not come up; is it installed (.ci/ensure-mail --install)?');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL'); // it holds nothing worth a farewell
  await gone;
}

const configuration = (about: {
  folder: string;
  ports: { admin: number; smsbox: number; send: number };
  smsc: { port: number; password: string };
  back: string;
}): string => `
group = core
admin-port = ${about.ports.admin}
admin-interface = 127.0.0.1
admin-password = pw
smsbox-port = ${about.ports.smsbox}
smsbox-interface = 127.0.0.1
box-deny-ip = "*.*.*.*"
box-allow-ip = "127.0.0.1"
log-file = "${about.folder}/bearerbox.log"
log-level = 1
dlr-storage = internal
sms-resend-freq = 1

group = smsc
smsc = smpp
smsc-id = SIM
host = 127.0.0.1
port = ${about.smsc.port}
transceiver-mode = true
smsc-username = "kannel"
smsc-password = "${about.smsc.password}"
system-type = ""
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${about.ports.send}
sendsms-interface = 127.0.0.1
log-file = "${about.folder}/smsbox.log"
log-level = 1

group = sendsms-user
username = us
password = pw
concatenation = true
max-messages = 20

group = sms-service
keyword = default
catch-all = true
max-messages = 0
omit-empty = true
get-url = "${about.back}/text?from=%p&to=%P&body=%a"
`;
