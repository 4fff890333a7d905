import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for `client.example`, which is its own authority. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = 'subjectAltName=DNS:client.example,IP:127.0.0.1';
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-days', '2', '-subj', '/CN=client.example', '-addext', names];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...about], {
    stdio: 'ignore',
  });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

export const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

export interface App {
  /** Where the browser brings the answer. */
  readonly callback: string;
  readonly documentUrl: string;
  readonly ca: string;
  /** A page of another site, with whatever it holds. */
  readonly trapUrl: string;
  trap: string;
  close(): Promise<void>;
}

/** A program on the user's computer, and the site that describes it. */
export async function appOf(): Promise<App> {
  const { key, cert } = certificate();
  const local: HttpServer = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(app.trap),
  );
  const port = await listen(local);
  const site = createTlsServer({ key, cert }, (_request, response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        client_id: app.documentUrl,
        client_name: 'A client of the tests',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      }),
    ),
  );
  const sitePort = await listen(site);
  const app: App = {
    callback: `http://127.0.0.1:${port}/callback`,
    documentUrl: `https://client.example:${sitePort}/client.json`,
    ca: cert,
    trapUrl: `http://evil.localhost:${port}/`,
    trap: '<p>Go back to the program.</p>',
    close: async () => {
      for (const server of [local, site]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  return app;
}
