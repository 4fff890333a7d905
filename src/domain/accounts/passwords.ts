import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { slots } from '../../kernel/slots.ts';

// What OWASP names as the least for argon2id; they stand in each hash, so that they can be raised.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const mostWaiting = 100;
const patienceMs = 5_000;

const derive = promisify(argon2);

export interface Passwords {
  hash(password: string, address: string): Promise<string>;
  /** Takes as long, and is false, where there is no hash. */
  matches(password: string, hash: string | null | undefined, address: string): Promise<boolean>;
}

/**
 * Hashes passwords in threads of Node, a few at once, so that signing in leaves the processors to other calls. Whoever
 * waits is served by turns of client addresses; `refuse` makes what is thrown at those for whom it takes too long.
 */
export function passwords(refuse: () => Error): Passwords {
  const places = slots(Math.max(1, Math.floor(availableParallelism() / 4)), {
    all: mostWaiting,
    longestMs: patienceMs,
  });
  const nobodyAborts = new AbortController().signal;
  const inTurn = async (address: string, parameters: Argon2Parameters): Promise<Buffer> => {
    if (!(await places.take(address, nobodyAborts))) throw refuse();
    try {
      return await derive('argon2id', parameters);
    } finally {
      places.free(address);
    }
  };

  const hash: Passwords['hash'] = async (password, address) => {
    const nonce = randomBytes(16);
    const tag = await inTurn(address, { ...cost, tagLength, message: bytesOf(password), nonce });
    const { memory, passes, parallelism } = cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
  };
  return {
    hash,
    matches: async (password, stored, address) => {
      if (stored === undefined || stored === null) {
        await hash(password, address);
        return false;
      }
      const { nonce, tag, ...parameters } = readHash(stored);
      const message = bytesOf(password);
      const made = await inTurn(address, { ...parameters, tagLength: tag.length, message, nonce });
      return timingSafeEqual(made, tag);
    },
  };
}

/** One spelling for what keyboards write in several. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'));

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function readHash(text: string): typeof cost & { nonce: Buffer; tag: Buffer } {
  const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
  const [, memory, passes, parallelism, nonce, tag] = form.exec(text) ?? [];
  if (nonce === undefined || tag === undefined) throw new Error('a password hash that was not made here');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
