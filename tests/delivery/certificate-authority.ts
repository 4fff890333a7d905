import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A root, an authority under it, and whatever that issues: each says where the authority's certificate is to be had. */
export function certificateAuthority(issuerUrl: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
  const at = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const request = (name: string, subject: string) =>
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      subject,
    );
  const sign = (name: string, by: string, extensions: string) => {
    writeFileSync(at(`${name}.ext`), extensions);
    const issuer = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial'];
    const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-days', '30', ...issuer, ...files);
  };
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-days',
    '30',
    '-subj',
    '/CN=A root',
  );
  request('between', '/CN=Between');
  sign('between', 'root', 'basicConstraints=critical,CA:TRUE\n');
  openssl('x509', '-in', 'between.pem', '-outform', 'DER', '-out', 'between.cer');
  let issued = 0;
  return {
    root: readFileSync(at('root.pem'), 'utf8'),
    /** As DER, which is how such are served. */
    intermediate: readFileSync(at('between.cer')),
    issue: (host: string) => {
      const name = `leaf${++issued}`;
      request(name, `/CN=${host}`);
      sign(name, 'between', `subjectAltName=DNS:${host}\nauthorityInfoAccess=caIssuers;URI:${issuerUrl}\n`);
      return { key: readFileSync(at(`${name}.key`), 'utf8'), cert: readFileSync(at(`${name}.pem`), 'utf8') };
    },
  };
}
