// A Fastify handler and the SQL, nothing else: no credential, no parsing, no checks. What our own layers cost is the
// difference to this.
import Fastify from 'fastify';
import { newId } from '../../src/kernel/ids.ts';
import { openPool } from '../../src/database/pool.ts';
import type { Statement } from './record-sql.ts';

const revive = (_key: string, value: unknown): unknown =>
  (value as { type?: string } | null)?.type === 'Buffer'
    ? Buffer.from((value as { data: number[] }).data)
    : value;
const recorded = JSON.parse(process.env['STATEMENTS'] ?? '{}', revive) as Record<string, Statement[]>;
const samples = JSON.parse(process.env['SAMPLES'] ?? '{}') as Record<string, Record<string, string>>;
const pool = openPool({
  url: process.env['DATABASE_URL'] ?? '',
  size: Number(process.env['DATABASE_POOL_SIZE'] ?? 16),
  onError: () => undefined,
});

/** Runs an operation's statements with this call's values in place of those it was recorded with. */
async function run(name: string, input: Record<string, string>): Promise<unknown[]> {
  const client = await pool.connect();
  try {
    let last: unknown[] = [];
    const fresh = new Map<string, string>();
    for (const { sql, parameters } of recorded[name] ?? []) {
      const values = parameters.map((value) => replace(value, samples[name] ?? {}, input, fresh));
      const result = await client.query(sql, values as unknown[]);
      if (sql.startsWith('select') || sql.startsWith('with')) last = result.rows as unknown[];
    }
    return last;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const madeId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What the call sent stands where the sample's stood; ids the sample made become new ones, the same throughout. */
function replace(
  value: unknown,
  sample: Record<string, string>,
  input: Record<string, string>,
  fresh: Map<string, string>,
): unknown {
  if (Array.isArray(value)) return value.map((one) => replace(one, sample, input, fresh));
  if (typeof value !== 'string') return value;
  let text = value;
  for (const [field, word] of Object.entries(sample)) {
    if (field === 'made') continue;
    if (text === word) return input[field];
    text = text.replace(word, input[field] ?? word);
  }
  if (sample['made'] !== 'true') return text;
  const given = new Set(Object.values(input));
  return text.replace(madeId, (id) => {
    if (id === process.env['ORG'] || given.has(id)) return id;
    const made = fresh.get(id) ?? newId(new Date());
    fresh.set(id, made);
    return made;
  });
}

const app = Fastify();
app.get('/health', () => ({ ok: true }));
app.post<{ Params: { name: string }; Body: Record<string, string> }>('/:name', (request) =>
  run(request.params.name, request.body),
);
app.get<{ Params: { name: string }; Querystring: Record<string, string> }>('/:name', (request) =>
  run(request.params.name, request.query),
);
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) });
process.on('SIGTERM', () => void app.close().then(() => pool.end()));
