import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { expectPlace, handleInPlace } from '../../src/catalogue/request-place.ts';
import { readJsonOnly } from '../../src/faces/rest/json-body.ts';

/** What came first for a body of so many bytes: what is done with it, or somebody else who was waiting. */
async function order(bytes: number): Promise<string[]> {
  const seen: string[] = [];
  const app = Fastify();
  readJsonOnly(app);
  app.post('/', {
    onRequest: async (request, reply) =>
      expectPlace(request, reply.raw, async () => {
        setImmediate(() => seen.push('somebody else'));
        return () => undefined;
      }),
    handler: (request) => handleInPlace(request, async () => void seen.push('the body')),
  });
  const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: { text: 'x'.repeat(bytes) } });
  await app.close();
  expect(statusCode).toBe(200);
  return seen;
}

test('others go on between the parsing of a long body and what is done with it', async () => {
  expect(await order(40_000)).toEqual(['somebody else', 'the body']);
  expect((await order(100))[0]).toBe('the body');
});
