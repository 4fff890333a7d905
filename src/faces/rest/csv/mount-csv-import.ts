import '../request-caller.ts';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseFields } from '../../../catalogue/parse-input.ts';
import { authorize } from '../../../catalogue/perform.ts';
import { takeRate } from '../../../catalogue/take-rate.ts';
import { createFileImport } from '../../../domain/imports/mapping/import-file.ts';
import { Failure } from '../../../kernel/failure.ts';
import { authenticateRest } from '../authenticate.ts';
import type { RestParts } from '../mount-operations.ts';
import { rateHeaders } from '../rate-headers.ts';
import { CsvQuery } from './csv-query.ts';
import { inPlaces } from './in-places.ts';
import { receiveCsv } from './receive-csv.ts';
import { largestFile, tooLarge } from './whole-lines.ts';

/** POST /v1/imports/csv. Its body is a file and not JSON, so it is no operation of the catalogue. */
export async function mountCsvImport(
  app: FastifyInstance,
  { perform, rate, enter, take, ...credentials }: Omit<RestParts, 'operations'>,
): Promise<void> {
  await app.register(async (scope) => {
    takeCsvOnly(scope);
    scope.route({
      method: 'POST',
      url: '/v1/imports/csv',
      config: { operation: 'import_csv' },
      bodyLimit: largestFile,
      // Before the body is read, as everywhere.
      onRequest: async (request, reply) => {
        request.caller = await authenticateRest(request, credentials);
        reply.raw.once('close', enter(request.caller.org).done);
        await takeRate(rate, createFileImport, request.caller, rateHeaders(reply));
        authorize(createFileImport, request.caller);
        mustBeTakenUp(request);
      },
      handler: async (request, reply) => {
        const query = parseFields(CsvQuery, request.query) as CsvQuery;
        try {
          const parts = { perform: inPlaces(perform, take), caller: request.caller! };
          const answer = await receiveCsv(parts, query, uploadOf(request.raw));
          return await reply.code(201).send(answer);
        } finally {
          letGo(request.raw);
        }
      },
    });
  });
}

/** The body is handed on as the stream it is. */
function takeCsvOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

function mustBeTakenUp({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] !== undefined) {
    throw new Failure(
      'invalid_request',
      'A file is not remembered by an Idempotency-Key. Leave it out: a file that failed left nothing.',
    );
  }
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((one) => one.trim().toLowerCase());
  if (type !== 'text/csv') throw new Failure('unsupported_media_type', 'Send the file itself, as text/csv.');
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw new Failure('unsupported_media_type', 'Send the file as UTF-8.');
  if (Number(headers['content-length']) > largestFile) throw tooLarge();
}

/** The upload, chunk by chunk. A reader that stops early leaves the connection open, because the answer needs it. */
async function* uploadOf(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (raw.readableAborted || !raw.complete)
      throw new Failure('invalid_request', 'The upload ended before the file did. Send it again.');
    throw error;
  }
}

/** Reads and drops the rest of a refused file: many clients read the answer only after they have sent all of it. */
function letGo(raw: IncomingMessage): void {
  raw.removeAllListeners('readable');
  raw.resume();
}
