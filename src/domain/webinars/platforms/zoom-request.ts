/** An answer of Zoom's, read whole. */
export interface ZoomAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** What it said in JSON, or nothing. */
  readonly json: unknown;
}

/** No answer came. `reached`: Zoom may have taken the request all the same. */
export interface NoAnswer {
  readonly status: 0;
  readonly reached: boolean;
  readonly why: string;
}

export interface ZoomRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

// A page of 300 participants has about 120 KB.
const largestAnswer = 4 * 1024 * 1024;

// Nothing was written yet: nobody was there, or nobody of that name.
const before = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** One request: to the address it names and no other, not for long, and not for much. */
export async function askZoom(request: ZoomRequest): Promise<ZoomAnswer | NoAnswer> {
  const { method, url, headers, body, timeoutMs } = request;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual', // what goes along, the token above all, is for one host
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, json: await readSmall(response) };
  } catch (error) {
    const code = codeOf(error);
    return { status: 0, reached: !before.has(code), why: code };
  }
}

async function readSmall(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > largestAnswer) throw Object.assign(new Error('too much'), { code: 'ANSWER_TOO_LARGE' });
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'no answer came in time';
  const told = cause?.code ?? code;
  return typeof told === 'string' ? told : 'the connection failed';
}

/** The secrets do not travel in clear, but for a gateway or a simulator on the same machine. */
export function zoomUrl(text: string): URL {
  const url = new URL(text);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url;
  throw new Error('Zoom is spoken to over https only');
}
