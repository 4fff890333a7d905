import http from 'node:http';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  /** What was said, unless it was a success. */
  readonly refusal: string;
}

/** One call over a connection of the agent. Rejects where nothing was answered. */
export function sendCall(agent: http.Agent, url: string, call: Call): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, hostname, port, method: call.method, path: call.path, headers: headersOf(call) },
      (response) => {
        const status = response.statusCode ?? 500;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => status >= 300 && chunks.push(chunk));
        response.on('end', () => resolve({ status, refusal: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(call.body);
  });
}

const headersOf = ({ body, headers }: Call): Record<string, string | number> => ({
  ...headers,
  ...(body !== undefined && {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }),
});
