import './request-caller.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EnterFlight } from '../../catalogue/in-flight.ts';
import type { Perform } from '../../catalogue/perform.ts';
import { expectPlace, handleInPlace, takePlace } from '../../catalogue/request-place.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import { takeRate } from '../../catalogue/take-rate.ts';
import type { TakeRate } from '../../domain/orgs/rate-limit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { AnyOperation, RestRoute } from '../../kernel/operation.ts';
import { authenticateRest, type RestCredentials } from './authenticate.ts';
import { rateHeaders } from './rate-headers.ts';
import { queryReader, readInput } from './read-input.ts';

export interface RestParts extends RestCredentials {
  readonly operations: readonly AnyOperation[];
  readonly perform: Perform;
  readonly rate: TakeRate;
  readonly enter: EnterFlight;
  readonly take: TakeCallPlace;
}

/** Every operation at its routes. */
export function mountOperations(app: FastifyInstance, parts: RestParts): void {
  for (const operation of parts.operations) {
    for (const route of operation.faces.rest) mountOne(app, parts, operation, route);
  }
}

function mountOne(app: FastifyInstance, parts: RestParts, operation: AnyOperation, route: RestRoute): void {
  const [method = '', url = ''] = route.split(' ');
  const readQuery = queryReader(operation);
  app.route({
    method,
    url,
    config: { operation: operation.name },
    // Before the body is read: ten megabytes from an unknown caller are not worth parsing.
    onRequest: async (request, reply) => {
      request.caller = await authenticateRest(request, parts);
      const { org } = request.caller;
      reply.raw.once('close', parts.enter(org).done);
      await takeRate(parts.rate, operation, request.caller, rateHeaders(reply));
      expectPlace(request, reply.raw, () => parts.take(org, operation));
    },
    // Whoever sent no body has none that would be parsed in the place.
    preValidation: (request) => takePlace(request),
    handler: async (request, reply) => {
      const key = method === 'GET' ? undefined : idempotencyKey(request);
      const answer = await handleInPlace(request, () =>
        parts.perform(operation, request.caller!, readInput(request, readQuery), key),
      );
      if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.code(makesThing(operation, answer.output) ? 201 : 200).send(answer.output);
    },
  });
}

const makesThing = ({ creates }: AnyOperation, output: Record<string, unknown>): boolean =>
  typeof creates === 'function' ? creates(output) : creates === true;

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    throw new Failure('invalid_request', 'Idempotency-Key takes 1 to 255 characters.');
  }
  return key;
}
