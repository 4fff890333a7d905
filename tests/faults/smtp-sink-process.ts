import { openSync, writeSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { chanceOf } from './chance.ts';

/**
 * A mail server that takes everything and keeps only whom it was for and what it was about. Now and then it hangs up
 * when it has the whole message, without a word: half the time it took that message, half the time not. What it took is
 * in its log before it says so, one line each, so the log is the truth about who got something.
 */
const { values } = parseArgs({
  options: {
    log: { type: 'string' },
    'cut-one-in': { type: 'string' },
    'delay-ms': { type: 'string' },
    seed: { type: 'string' },
  },
});
const log = openSync(values.log!, 'a');
const cutOneIn = Number(values['cut-one-in']);
const delayMs = Number(values['delay-ms']);
const chance = chanceOf(Number(values.seed));

const write = (what: 'taken' | 'taken_unsaid' | 'not_taken', address: string, subject: string): number =>
  writeSync(log, `${what} ${Date.now()} ${address} ${subject}\n`);

function converse(socket: Socket): void {
  let unread = '';
  let address = '';
  let subject = '';
  let inMessage = false;
  let thinking = false;
  const say = (line: string): boolean => socket.write(`${line}\r\n`);

  const end = (): void => {
    thinking = false;
    if (chance() * cutOneIn < 1) {
      write(chance() < 0.5 ? 'taken_unsaid' : 'not_taken', address, subject);
      socket.destroy();
      return;
    }
    write('taken', address, subject); // also when they are gone by now: it was all there
    say('250 2.0.0 taken');
    read();
  };

  const obey = (line: string): void => {
    const [, verb = '', rest = ''] = /^(\w*)\s*(.*)$/.exec(line) ?? [];
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say('250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8');
        break;
      case 'RCPT':
        address = /<([^>]*)>/.exec(rest)?.[1]?.toLowerCase() ?? '';
        say('250 2.1.5 go on');
        break;
      case 'DATA':
        inMessage = true;
        unread = `\r\n${unread}`; // the line end before the first: a message may be a lone dot
        say('354 go on');
        break;
      case 'QUIT':
        say('221 2.0.0 bye');
        socket.end();
        break;
      default: // HELO, MAIL, RSET, NOOP
        say('250 2.0.0 go on');
    }
  };

  const read = (): void => {
    while (!thinking) {
      const mark = inMessage ? '\r\n.\r\n' : '\r\n';
      const at = unread.indexOf(mark);
      if (at === -1) return;
      const piece = unread.slice(0, at);
      unread = unread.slice(at + mark.length);
      if (inMessage) {
        inMessage = false;
        subject = /^Subject: *(.*)$/im.exec(piece)?.[1]?.trim() ?? '';
        thinking = true;
        setTimeout(end, delayMs);
      } else obey(piece);
    }
  };

  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    unread += chunk;
    read();
  });
  say('220 sink.test ESMTP');
}

const server = createServer(converse);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
