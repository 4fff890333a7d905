import '../request-caller.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { authorize, type Perform } from '../../../catalogue/perform.ts';
import { takeRate } from '../../../catalogue/take-rate.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { authenticateRest } from '../authenticate.ts';
import type { RestParts } from '../mount-operations.ts';
import { rateHeaders } from '../rate-headers.ts';
import { queryReader, readInput } from '../read-input.ts';
import { exports, type Export } from './exports.ts';
import { inPlaces } from './in-places.ts';
import { csvLine } from './write-csv.ts';

type Rows = readonly Record<string, string | number | boolean | null>[];

/** A file is asked for as a whole, so its steps would follow each other at once: others have the thread in between. */
const restsAsLong = 10;

/** Lists as files. Their answers are not JSON, so they are no operations of the catalogue. */
export function mountExports(
  app: FastifyInstance,
  { perform, rate, enter, take, ...credentials }: Omit<RestParts, 'operations'>,
): void {
  const step = inPlaces(perform, take, restsAsLong);
  for (const one of exports) {
    const { begin, permission, file } = one;
    const readQuery = queryReader(begin);
    app.route({
      method: 'GET',
      url: begin.faces.rest[0]!.slice('GET '.length),
      config: { operation: begin.name },
      onRequest: async (request, reply) => {
        request.caller = await authenticateRest(request, credentials);
        reply.raw.once('close', enter(request.caller.org).done);
        await takeRate(rate, begin, request.caller, rateHeaders(reply));
        authorize(begin, request.caller);
        authorize({ ...begin, permission }, request.caller);
      },
      handler: async (request, reply) => {
        const filters = readInput(request, readQuery);
        await step(begin, request.caller!, filters);
        return reply
          .type('text/csv; charset=utf-8')
          .header('Content-Disposition', `attachment; filename="${file}"`)
          .header('Cache-Control', 'no-store')
          .send(Readable.from(linesOf(one, step, request.caller!, filters)));
      },
    });
  }
}

/** A step is read when the one before is sent: whoever reads slowly holds neither a place nor a transaction, and whoever goes away ends it. */
async function* linesOf(
  { read, row }: Export,
  step: Perform,
  caller: Caller,
  filters: unknown,
): AsyncGenerator<string> {
  const columns = Object.keys(row.shape);
  yield csvLine(columns);
  let after: unknown;
  do {
    const { output } = await step(read, caller, { filters, ...(after !== undefined && { after }) });
    const lines = (output['rows'] as Rows).map((cells) => csvLine(columns.map((name) => cells[name]!)));
    if (lines.length > 0) yield lines.join('');
    after = output['next'] ?? undefined;
  } while (after !== undefined);
}
