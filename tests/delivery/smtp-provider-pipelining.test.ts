import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { anEmail, providerTo } from './smtp-email.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What a server was sent on one connection, and how it answers. */
interface Talk {
  readonly number: number;
  readonly socket: Socket;
  unread: string;
  /** Who the message on the line is for. */
  to: string | undefined;
  /** Recipients of whole messages. */
  readonly taken: string[];
}

const envelope = /^(?:RSET\r\n)?MAIL FROM:<.*>\r\nRCPT TO:<(.*)>\r\nDATA\r\n/;

/** A server that answers each message only when the envelope of the next is there, from the second message on. */
async function serve(onBoth: (talk: Talk, to: string) => boolean): Promise<{ port: number; talks: Talk[] }> {
  const talks: Talk[] = [];
  const server: Server = createServer((socket) => {
    const talk: Talk = { number: talks.length + 1, socket, unread: '', to: undefined, taken: [] };
    talks.push(talk);
    const answer = (text: string): void => void socket.write(`${text}\r\n`);
    const read = (): void => {
      if (/^EHLO .*\r\n/.test(talk.unread)) {
        talk.unread = '';
        return answer('250-test\r\n250 PIPELINING');
      }
      if (talk.unread === 'QUIT\r\n') return void socket.end('221 Bye\r\n');
      const next = envelope.exec(talk.unread);
      if (talk.to === undefined && next !== null) {
        talk.to = next[1]!;
        talk.unread = talk.unread.slice(next[0].length);
        answer('250 Ok\r\n250 Ok\r\n354 Go on');
      }
      const end = talk.unread.indexOf('\r\n.\r\n');
      const { to } = talk;
      if (to === undefined || end < 0) return;
      const isFollowed = envelope.test(talk.unread.slice(end + 5));
      if (talk.taken.length === 1 && talk.number === 1 && (!isFollowed || !onBoth(talk, to))) return;
      talk.taken.push(to);
      talk.unread = talk.unread.slice(end + 5);
      talk.to = undefined;
      answer('250 Taken');
      read();
    };
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        talk.unread += chunk.toString('latin1');
        read();
      });
    answer('220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.address() as AddressInfo).port, talks };
}

/** The third follows when the server knows of the second, so that it is behind it. */
async function sendThree({ port, talks }: { readonly port: number; readonly talks: readonly Talk[] }) {
  const provider = providerTo(port, { connections: 1, giveUpMs: 8_000 });
  closing.unshift(() => provider.close());
  const first = await provider.send(anEmail({ to: 'one@mbox.test' }));
  const second = provider.send(anEmail({ to: 'two@mbox.test' }));
  await vi.waitFor(() => expect(talks[0]!.to).toBe('two@mbox.test'), { timeout: 20_000, interval: 1 });
  const third = provider.send(anEmail({ to: 'three@mbox.test' }));
  return [first, await second, await third].map(({ outcome }) => outcome);
}

test('the envelope of the next message does not wait for the answer to the one before', async () => {
  const server = await serve(() => true);
  expect(await sendThree(server)).toEqual(['sent', 'sent', 'sent']);
  expect(server.talks.map(({ taken }) => taken)).toEqual([
    ['one@mbox.test', 'two@mbox.test', 'three@mbox.test'],
  ]);
});

test('a connection that breaks then leaves one message uncertain, and the next goes by another, once', async () => {
  const server = await serve(({ socket }) => {
    socket.destroy();
    return false;
  });
  expect(await sendThree(server)).toEqual(['sent', 'uncertain', 'sent']);
  expect(server.talks.map(({ taken }) => taken)).toEqual([['one@mbox.test'], ['three@mbox.test']]);
});

test('who waits too long behind a message goes by another connection, and that message is answered all the same', async () => {
  const server = await serve(({ socket }) => {
    // Long after the next one has given up waiting behind it, which is after a second.
    setTimeout(() => socket.write('250 Taken late\r\n'), 1_500);
    return false;
  });
  expect(await sendThree(server)).toEqual(['sent', 'sent', 'sent']);
  expect(server.talks.map(({ taken }) => taken)).toEqual([['one@mbox.test'], ['three@mbox.test']]);
});
