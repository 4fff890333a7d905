import type { FreePlace } from '../kernel/call-shares.ts';
import { Failure } from '../kernel/failure.ts';

/**
 * A megabyte takes the thread that answers everybody 20 to 40 ms, one of HTML 140, and two bodies of an organization may
 * be under way: a tenth of the time at most. Short bodies are not worth resting for.
 */
const bytesAMillisecond = 300;
const shortBody = 32_768;

export const isLongBody = (bytes: number): boolean => bytes > shortBody;

/**
 * The place of a request in its organization's share. While its body comes it has none, so that a slow one holds
 * nothing; it takes one before the body is parsed, and keeps it until it is handled.
 */
class RequestPlace {
  #phase: 'expected' | 'taken' | 'handled' | 'over' = 'expected';
  #free: FreePlace = () => undefined;
  #restMs = 0;
  readonly #take: () => Promise<FreePlace>;

  constructor(take: () => Promise<FreePlace>) {
    this.#take = take;
  }

  async take(bytes = 0): Promise<void> {
    if (this.#phase !== 'expected') return;
    this.#free = await this.#take();
    if (isLongBody(bytes)) this.#restMs = bytes / bytesAMillisecond;
    if (this.#isOver()) {
      this.#free();
      throw new Failure('invalid_request', 'The client hung up before the request was taken up.');
    }
    this.#phase = 'taken';
  }

  async handle<T>(act: () => Promise<T>): Promise<T> {
    await this.take();
    this.#phase = 'handled';
    try {
      return await act();
    } finally {
      this.#free(this.#restMs);
    }
  }

  /** The connection is done with the request. What is being handled goes on to its end. */
  close(): void {
    if (this.#phase === 'taken') this.#free(this.#restMs);
    if (this.#phase !== 'handled') this.#phase = 'over';
  }

  #isOver(): boolean {
    return this.#phase === 'over';
  }
}

const places = new WeakMap<object, RequestPlace>();

/** Says how a request gets its place. `response` tells when the connection is done with it. */
export function expectPlace(
  request: object,
  response: { once(event: 'close', listener: () => void): unknown },
  take: () => Promise<FreePlace>,
): void {
  const place = new RequestPlace(take);
  places.set(request, place);
  response.once('close', () => place.close());
}

/** Waits for the place of a request, if it is to have one. A long body lets the place rest afterwards. */
export const takePlace = async (request: object, bytes = 0): Promise<void> =>
  places.get(request)?.take(bytes);

export const handleInPlace = <T>(request: object, act: () => Promise<T>): Promise<T> =>
  places.get(request)?.handle(act) ?? act();
