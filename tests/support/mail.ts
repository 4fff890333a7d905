import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../src/main/free-ports.ts';

/**
 * A real mail server (Postfix) with mailboxes at mbox.test, strict.test and slow.test, told apart by how their names
 * begin:
 *
 *   ok…      takes everything
 *   grey…    451 4.7.1 at the first try of a message, takes it at the next
 *   busy…    451 4.7.28 at the first try of a message, for all of the domain, takes it at the next
 *   full…    452 4.2.2
 *   policy…  550 5.7.515
 *   late…    takes it, finds out that nobody is there, and sends it back
 *   others   550 5.1.1
 *
 * Whatever it has for other domains, which is what it sends back, goes to `bouncesTo`.
 */
export interface Mail {
  readonly port: number;
  /** As the setting SMTP_URL takes it. */
  readonly url: string;
  /** What came into the mailboxes, as it lies there. */
  inbox(): Promise<string[]>;
  /** The one message that an address got. */
  messageTo(address: string): Promise<string>;
  stop(): Promise<void>;
}

// Debian installs servers where only root looks.
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

export async function startMail({ bouncesTo }: { readonly bouncesTo?: number } = {}): Promise<Mail> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-mail-'));
  chmodSync(folder, 0o755); // its programs run as another user
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, 'postfix'])));
  for (const inside of ['conf', 'spool', 'data', 'mail']) mkdirSync(join(folder, inside));
  for (const inside of ['data', 'mail']) chownSync(join(folder, inside), uid!, gid!);
  const again = await startPolicy();
  const port = await freePort();
  const files = configuration({ folder, port, uid: uid!, gid: gid!, policy: again.port, bouncesTo });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'conf', name), text);
  chmodSync(join(folder, 'conf', 'nobody-there'), 0o755);
  const stop = await startPostfix(folder, port);
  const maildir = join(folder, 'mail', 'inbox', 'new');
  const inbox = async (): Promise<string[]> => {
    const names = await readdir(maildir).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(maildir, name), 'latin1')));
  };
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    inbox,
    messageTo: async (address) => {
      for (let attempt = 0; attempt < 500; attempt++) {
        const found = (await inbox()).filter((message) => message.includes(`\nDelivered-To: ${address}\n`));
        if (found.length > 1) throw new Error(`${address} got ${found.length} messages`);
        if (found.length === 1) return found[0]!;
        await pause(50);
      }
      throw new Error(`nothing came for ${address}:\n${readLog(folder)}`);
    },
    stop: async () => {
      stop();
      await new Promise((resolve) => again.server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Answers how to stop it. It goes into the background, so it is stopped in any case. */
async function startPostfix(folder: string, port: number): Promise<() => void> {
  const stop = (): void => {
    process.off('exit', stop);
    const [pid] = [readFileSync(join(folder, 'spool', 'pid', 'master.pid'), 'utf8')].map(Number);
    process.kill(pid!, 'SIGTERM');
  };
  const postfix = ['-c', join(folder, 'conf'), 'start'];
  const { stderr } = await promisify(execFile)('postfix', postfix, { env }).catch((error: Error) => {
    throw new Error(
      `Postfix did not start; is it installed (.ci/ensure-mail --install)? ${readLog(folder)}`,
      {
        cause: error,
      },
    );
  });
  process.on('exit', stop);
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await greets(port)) return stop;
    await pause(50);
  }
  stop();
  throw new Error(`Postfix does not answer: ${stderr}${readLog(folder)}`);
}

function readLog(folder: string): string {
  try {
    return readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-30).join('\n');
  } catch {
    return '';
  }
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('data', (data) => {
      socket.end('QUIT\r\n');
      resolve(data.toString().startsWith('220'));
    });
    socket.on('error', () => undefined).once('close', () => resolve(false));
  });

const comeAgain = {
  grey: '451 4.7.1 Greylisted, please come back later',
  busy: '451 4.7.28 Unusual rate of mail originating from your DKIM domain',
};

/** Answers Postfix's policy questions: who writes to somebody for the first time shall come again. */
async function startPolicy(): Promise<{ server: Server; port: number }> {
  const seen = new Set<string>();
  const server = createServer((socket) => {
    let asked = '';
    socket.unref();
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        asked += data.toString();
        for (let end = asked.indexOf('\n\n'); end >= 0; end = asked.indexOf('\n\n')) {
          const attributes = new Map(
            asked
              .slice(0, end)
              .split('\n')
              .map((line) => line.split('=', 2) as [string, string]),
          );
          asked = asked.slice(end + 2);
          const pair = `${attributes.get('sender')} ${attributes.get('recipient')}`;
          const kind = attributes.get('recipient')?.slice(0, 4) as keyof typeof comeAgain;
          socket.write(`action=${seen.has(pair) ? 'dunno' : comeAgain[kind]}\n\n`);
          seen.add(pair);
        }
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { server, port: (server.address() as AddressInfo).port };
}

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly uid: number;
  readonly gid: number;
  readonly policy: number;
  readonly bouncesTo: number | undefined;
}

const configuration = ({ folder, port, uid, gid, policy, bouncesTo }: Places): Record<string, string> => ({
  'main.cf': `
compatibility_level = 3.6
queue_directory = ${folder}/spool
data_directory = ${folder}/data
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mx.mbox.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
alias_maps =
virtual_mailbox_domains = mbox.test, strict.test, slow.test
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = regexp:${folder}/conf/mailboxes
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${gid}
virtual_minimum_uid = 1
transport_maps = regexp:${folder}/conf/transports
smtpd_restriction_classes = come_again
come_again = check_policy_service inet:127.0.0.1:${policy}
smtpd_recipient_restrictions = check_recipient_access regexp:${folder}/conf/recipients, reject_unauth_destination
smtpd_relay_restrictions = reject_unauth_destination
default_transport = ${bouncesTo === undefined ? 'discard:' : `smtp:[127.0.0.1]:${bouncesTo}`}
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
notify_classes =
`,
  'master.cf': `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
nobody-there unix - n n - - pipe flags=R user=nobody argv=${folder}/conf/nobody-there
`,
  mailboxes: `/^(ok|grey|busy|full|policy|late)[^@]*@(mbox|strict|slow)\\.test$/ inbox/\n`,
  transports: `/^late[^@]*@/ nobody-there:\n`,
  recipients: `
/^(grey|busy)[^@]*@/ come_again
/^full[^@]*@/ 452 4.2.2 Mailbox full
/^policy[^@]*@/ 550 5.7.515 Access denied, the sending domain does not meet the required authentication level
`,
  'nobody-there': '#!/bin/sh\ncat >/dev/null\necho "5.1.1 mailbox disabled"\nexit 67\n',
});
