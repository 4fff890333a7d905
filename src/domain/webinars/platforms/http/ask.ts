/** A platform's answer, read whole. */
export interface PlatformAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** No answer came. `reached`: the platform may have taken the request all the same. */
export interface NoAnswer {
  readonly status: 0;
  readonly reached: boolean;
  readonly why: string;
}

export interface PlatformRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

// A page of 300 participants has about 120 KB.
const largestAnswer = 4 * 1024 * 1024;

// Failures before anything was written: no host answered, or none has that name.
const before = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends one request, without following redirects and with limits on time and size. */
export async function ask(request: PlatformRequest): Promise<PlatformAnswer | NoAnswer> {
  const { method, url, headers, body, timeoutMs } = request;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual', // the token and the rest of the request are for one host
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
  return readJson(Buffer.concat(parts).toString('utf8'));
}

/** Parses JSON, or returns undefined. A whole number that a double cannot hold, such as a 64-bit key, stays text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, keepLargeNumbers);
  } catch {
    return undefined;
  }
}

function keepLargeNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

function codeOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'no answer came in time';
  const told = cause?.code ?? code;
  return typeof told === 'string' ? told : 'the connection failed';
}

/** Requires https, so that secrets never travel in clear, except to a gateway or simulator on the same machine. */
export function platformUrl(text: string, label: string): URL {
  const url = new URL(text);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url;
  throw new Error(`${label} is spoken to over https only`);
}
