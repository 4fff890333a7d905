import { execFileSync } from 'node:child_process';
import { createSign, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fetch } from '../../src/faces/public/sns-certificate.ts';

export const topic = 'arn:aws:sns:eu-west-1:123456789012:mail-events';
export const snsHost = 'sns.eu-west-1.amazonaws.com';
export const certificateUrl = `https://${snsHost}/SimpleNotificationService-0123.pem`;

type Fields = Readonly<Record<string, string | undefined>>;

/** Amazon as far as we need it: signs messages as SNS documents it, serves its certificate and takes confirmations. */
export async function startSns() {
  const folder = mkdtempSync(path.join(tmpdir(), 'sns-'));
  const make = (name: string, ...more: string[]) => {
    const [keyFile, certFile] = [path.join(folder, `${name}.key`), path.join(folder, `${name}.pem`)];
    const subject = ['-subj', `/CN=${snsHost}`, ...more];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      keyFile,
      '-out',
      certFile,
      ...subject,
    ];
    execFileSync('openssl', args, { stdio: 'ignore' });
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  };
  const ours = make('ours', '-days', '30');
  const others = make('others', '-days', '30');
  const asked: string[] = [];
  const answers: Record<string, (reply: http.ServerResponse) => void> = {
    '/SimpleNotificationService-0123.pem': (reply) => reply.end(ours.cert),
    '/others.pem': (reply) => reply.end(others.cert),
    '/huge.pem': (reply) => reply.end(ours.cert + 'x'.repeat(100_000)),
    '/moved.pem': (reply) => reply.writeHead(302, { location: '/SimpleNotificationService-0123.pem' }).end(),
    '/broken.pem': (reply) => reply.end('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
    '/away.pem': (reply) => reply.writeHead(503).end(),
    '/': (reply) => reply.end('<ConfirmSubscriptionResponse/>'),
  };
  const server = http.createServer((request, reply) => {
    asked.push(request.url!);
    const answer = answers[request.url!.split('?')[0]!];
    if (answer === undefined) reply.writeHead(404).end();
    else answer(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fetchHere: Fetch = (url, init) => {
    const { host, protocol, pathname, search } = new URL(url);
    if (host !== snsHost || protocol !== 'https:') throw new Error(`somebody else was asked: ${url}`);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };

  /** The fields of a message, signed; those given stand in place of the usual ones. */
  function sign(fields: Fields, algorithm = 'RSA-SHA256', key = ours.key): Fields {
    const message: Record<string, string | undefined> = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topic,
      Message: '{}',
      Timestamp: new Date().toISOString(),
      SignatureVersion: '2',
      SigningCertURL: certificateUrl,
      ...fields,
    };
    const names =
      message['Type'] === 'Notification'
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    const text = names
      .flatMap((name) => (message[name] === undefined ? [] : [name, message[name]]))
      .join('\n');
    const Signature = createSign(algorithm).update(`${text}\n`).sign(key, 'base64');
    return { ...message, Signature };
  }

  return {
    sign,
    fetch: fetchHere,
    asked,
    othersKey: others.key,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type Sns = Awaited<ReturnType<typeof startSns>>;
