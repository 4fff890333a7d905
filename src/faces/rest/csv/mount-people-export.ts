import '../request-caller.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { authorize, type Perform } from '../../../catalogue/perform.ts';
import { takeRate } from '../../../catalogue/take-rate.ts';
import { beginPeopleExport, readPeopleExport } from '../../../domain/people/record/export-people.ts';
import { ExportedPerson } from '../../../domain/people/record/person.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { authenticateRest } from '../authenticate.ts';
import type { RestParts } from '../mount-operations.ts';
import { rateHeaders } from '../rate-headers.ts';
import { queryReader } from '../read-input.ts';
import { inPlaces } from './in-places.ts';
import { csvLine } from './write-csv.ts';

type People = readonly Record<string, string | number | boolean | null>[];
type Query = Readonly<Record<string, unknown>>;

/** GET /v1/people/export. Its answer is a file and not JSON, so it is no operation of the catalogue. */
export function mountPeopleExport(
  app: FastifyInstance,
  { perform, rate, enter, take, ...credentials }: Omit<RestParts, 'operations'>,
): void {
  const readQuery = queryReader(beginPeopleExport);
  const step = inPlaces(perform, take);
  app.route({
    method: 'GET',
    url: '/v1/people/export',
    config: { operation: 'export_people' },
    onRequest: async (request, reply) => {
      request.caller = await authenticateRest(request, credentials);
      reply.raw.once('close', enter(request.caller.org).done);
      await takeRate(rate, beginPeopleExport, request.caller, rateHeaders(reply));
      authorize(beginPeopleExport, request.caller);
    },
    handler: async (request, reply) => {
      const filters = readQuery(request.query as Record<string, unknown>);
      await step(beginPeopleExport, request.caller!, filters);
      return reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', 'attachment; filename="people.csv"')
        .header('Cache-Control', 'no-store')
        .send(Readable.from(linesOf(step, request.caller!, filters)));
    },
  });
}

/** A step is read when the one before is sent: whoever reads slowly holds neither a place nor a transaction, and whoever goes away ends it. */
async function* linesOf(step: Perform, caller: Caller, filters: Query): AsyncGenerator<string> {
  const columns = Object.keys(ExportedPerson.shape);
  yield csvLine(columns);
  let after: unknown;
  do {
    const { output } = await step(readPeopleExport, caller, {
      filters,
      ...(after !== undefined && { after }),
    });
    const lines = (output['people'] as People).map((person) => csvLine(columns.map((name) => person[name]!)));
    if (lines.length > 0) yield lines.join('');
    after = output['next'] ?? undefined;
  } while (after !== undefined);
}
