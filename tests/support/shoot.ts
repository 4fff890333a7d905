import http from 'node:http';

/** A request as it goes over the wire: nothing is escaped, completed or put right on the way. */
export interface Shot {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Whether the connection may end without an answer, as when a server will not read all that is sent. */
  readonly mayBeCutOff?: boolean;
}

export interface Hit {
  readonly status: number;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Sends requests at once, so many at a time, and rejects one that is not answered in time. */
export class Shooter {
  readonly #url: URL;
  readonly #patience: number;
  readonly #agent: http.Agent;

  constructor(url: string, { atOnce, patience }: { atOnce: number; patience: number }) {
    this.#url = new URL(url);
    this.#patience = patience;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  }

  shoot(shot: Shot): Promise<Hit> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const { method, path, headers = {} } = shot;
      const options = { hostname, port, method, path, agent: this.#agent, headers: { ...headers } };
      let answered = false;
      const request = http.request(options as http.RequestOptions, (response) => {
        answered = true;
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode!, text, headers: response.headers });
        });
      });
      // A refused upload is cut off after it was answered, and that is no fault.
      request.on('error', (error) => {
        if (!answered) reject(new Error(`${shot.label}: ${error.message}`));
      });
      // Counted from when a connection is had: waiting for one is the sender's doing.
      request.on('socket', () => {
        request.setTimeout(this.#patience, () => {
          request.destroy(new Error(`not answered in ${this.#patience} ms`));
          reject(new Error(`${shot.label}: not answered in ${this.#patience} ms`));
        });
      });
      request.end(shot.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
