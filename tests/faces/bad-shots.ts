import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Shot } from '../support/shoot.ts';
import { anyValue, badValues, badWords, largeValues } from './bad-values.ts';

/** The fields of a valid input, each as JSON text. */
export type Fields = Readonly<Record<string, string>>;

/** What is chosen of the many bad things, and how many of them in one place. */
export interface Aim {
  readonly seed: number;
  readonly inOnePlace: number;
  /** How many of what is the same in every place, as bodies that are no object, are tried in each. */
  readonly ofTheSame: number;
  /** In one of how many places a body of megabytes is sent: it takes as long as a hundred others. */
  readonly largeInOneOf: number;
  readonly bodyLimit: number;
}

const json = { 'content-type': 'application/json' };

const objectOf = (fields: Fields): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;

/** Some of a list, the same for the same seed and place. */
function some<T>({ seed, inOnePlace }: Aim, list: readonly T[], place: string): readonly T[] {
  const length = Math.min(inOnePlace, list.length);
  const [chosen = []] = fc.sample(fc.shuffledSubarray([...list], { minLength: length, maxLength: length }), {
    numRuns: 1,
    seed: seedAt(seed, place),
  });
  return chosen;
}

const someOfTheSame = <T>(aim: Aim, list: readonly T[], place: string): readonly T[] =>
  some({ ...aim, inOnePlace: aim.ofTheSame }, list, place);

const isLargeIn = ({ largeInOneOf }: Aim, place: string): boolean => seedAt(0, place) % largeInOneOf === 0;

const seedAt = (seed: number, place: string): number =>
  Buffer.from(place).reduce((sum, byte) => (sum * 31 + byte) | 0, seed);

const strangeNames = [
  'unknown_field',
  '',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(1_000),
  '\u0000',
];

type Place = readonly [name: string, put: (bad: string) => string];

/** Where something else can stand in a field: in place of all of it, or of one field of an object it holds or lists. */
function placesIn(name: string, value: string): Place[] {
  const held: unknown = JSON.parse(value);
  if (typeof held === 'object' && held !== null && !Array.isArray(held)) return placesInObject(name, held);
  const objects = Array.isArray(held) ? (held as object[]).map(toFields) : [];
  const inner = objects.flatMap((object, at) =>
    Object.keys(object).map((field): Place => {
      const put = (bad: string): string =>
        `[${objects
          .with(at, { ...object, [field]: bad })
          .map(objectOf)
          .join(',')}]`;
      return [`${name}/${at}/${field}`, put];
    }),
  );
  return [[name, (bad) => bad], ...inner];
}

function placesInObject(name: string, object: object): Place[] {
  const fields = toFields(object);
  const inner = Object.entries(fields).flatMap(([field, value]) =>
    placesIn(`${name}/${field}`, value).map(([place, put]): Place => [
      place,
      (bad) => objectOf({ ...fields, [field]: put(bad) }),
    ]),
  );
  return [[name, (bad) => bad], ...inner];
}

const toFields = (object: object): Fields =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)]));

/** Inputs with something wrong in them: a bad value for a field, a field that is none, or anything for several. */
function* badInputs(aim: Aim, place: string, fields: Fields): Generator<[string, Fields]> {
  const names = Object.keys(fields);
  for (const name of names) {
    for (const [inside, put] of placesIn(name, fields[name]!)) {
      for (const value of some(aim, badValues, place + inside)) {
        yield [`${inside} = ${value.slice(0, 60)}`, { ...fields, [name]: put(value) }];
      }
    }
  }
  for (const name of some(aim, strangeNames, place)) {
    yield [`${name.slice(0, 20)} is no field`, { ...fields, [name]: '{"polluted":true}' }];
  }
  const anything = fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), { requiredKeys: [] });
  const sampled = fc.sample(anything, { numRuns: aim.inOnePlace, seed: seedAt(aim.seed, place) });
  for (const changed of sampled) {
    yield [JSON.stringify(changed).slice(0, 200), { ...fields, ...(changed as Fields) }];
  }
  if (!isLargeIn(aim, place)) return;
  const [name = 'unknown_field'] = names;
  for (const value of some(
    { ...aim, inOnePlace: Math.ceil(aim.inOnePlace / 6) },
    largeValues(aim.bodyLimit - 2_000),
    place,
  )) {
    yield [`large ${value.slice(0, 8)}`, { ...fields, [name]: value }];
  }
}

/** Bad arguments for a tool. */
export function* toolShots(aim: Aim, tool: string, fields: Fields): Generator<Shot> {
  const call = (label: string, sent: string): Shot => ({
    label: `tool ${tool}: ${label}`,
    method: 'POST',
    path: '/mcp',
    headers: json,
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${sent}}}`,
  });
  for (const [label, input] of badInputs(aim, `tool ${tool}`, fields)) yield call(label, objectOf(input));
  const noArguments = ['null', '[]', '"text"', '1', 'true'];
  for (const value of someOfTheSame(aim, noArguments, tool)) yield call(`arguments ${value}`, value);
}

/** Bad words in the path and the query of a route and, where it takes one, bad bodies. */
export function* routeShots(aim: Aim, route: string, fields: Fields): Generator<Shot> {
  const [method = '', pattern = ''] = route.split(' ');
  const inPath = Array.from(pattern.matchAll(/:(\w+)/g), ([, name]) => name!);
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.includes(name)));
  const pathWith = (word: (name: string) => string | undefined): string =>
    pattern.replaceAll(/:(\w+)/g, (_, name: string) => word(name) ?? String(JSON.parse(fields[name]!)));
  const path = pathWith(() => undefined);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const valid = { method, path, ...(hasBody && { headers: json, body: objectOf(rest) }) };
  const shot = (label: string, more: Partial<Shot>): Shot => ({
    label: `${route}: ${label}`,
    ...valid,
    ...more,
  });

  for (const place of inPath) {
    for (const word of some(aim, badWords, route + place)) {
      yield shot(`${place} = ${word.slice(0, 40)}`, {
        path: pathWith((name) => (name === place ? word : undefined)),
      });
    }
  }
  const queried = [...Object.keys(rest), 'unknown_field', '__proto__', 'constructor'];
  // In a body they are no words of the query: one of them is as unknown as the next.
  for (const name of hasBody ? someOfTheSame(aim, queried, route) : queried) {
    const doubled = [
      `${name}=a&${name}=b`,
      `${name}[]=a`,
      `${name}[a]=b`,
      name,
      `=${name}`,
      `${name}=a&`.repeat(300),
    ];
    const place = `${route}?${name}`;
    const queries = [
      ...some(aim, badWords, place).map((word) => `${name}=${word}`),
      ...someOfTheSame(aim, doubled, place),
    ];
    for (const query of queries) yield shot(`?${query.slice(0, 60)}`, { path: `${path}?${query}` });
  }
  const many = Array.from({ length: 1_500 }, (_, index) => `a${index}=`).join('&');
  yield shot('many words', { path: `${path}?${many}` });
  if (hasBody) {
    yield* bodyShots(aim, route, rest, (label, body, headers = {}, mayBeCutOff = false) =>
      shot(label, { body, headers: { ...json, ...headers }, mayBeCutOff }),
    );
  }
}

type Send = (label: string, body: string | Buffer, headers?: Shot['headers'], mayBeCutOff?: boolean) => Shot;

function* bodyShots(aim: Aim, route: string, fields: Fields, send: Send): Generator<Shot> {
  for (const [label, input] of badInputs(aim, route, fields)) yield send(label, objectOf(input));
  yield* someOfTheSame(aim, noInputs(fields, send), route);
  if (!isLargeIn(aim, route)) return;
  // A connection on which more comes than was asked for may be closed before the answer is read.
  yield send('ten megabytes', objectOf({ ...fields, a: JSON.stringify('a'.repeat(10_000_000)) }), {}, true);
}

/** Bodies that are no input at all, are encoded in another way, or come with strange headers. */
function noInputs(fields: Fields, send: Send): Shot[] {
  const valid = objectOf(fields);
  const notOneObject = ['null', '[]', '"text"', '1', ' ', '\uFEFF', valid + valid, valid.slice(0, -1)];
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    '',
    'a'.repeat(5_000),
  ];
  const keys = ['', ' ', 'k'.repeat(256), '\u00ff\u00fe', ['one', 'two']];
  return [
    ...notOneObject.map((body) => send(`body ${body.slice(0, 20)}`, body)),
    send('UTF-16', Buffer.from(valid, 'utf16le')),
    send('UTF-16 as told', Buffer.from(valid, 'utf16le'), {
      'content-type': 'application/json; charset=utf-16',
    }),
    send('Latin-1', Buffer.from(objectOf({ ...fields, a: '"\u00ff\u00fe"' }), 'latin1')),
    send('half a letter', Buffer.from([0x7b, 0x22, 0xe2, 0x82])),
    send('gzip', gzipSync(valid), { 'content-encoding': 'gzip' }),
    ...types.map((type) => send(`type ${type.slice(0, 20)}`, valid, { 'content-type': type })),
    ...keys.map((key) =>
      send(`idempotency key ${String(key).slice(0, 10)}`, valid, { 'idempotency-key': key }),
    ),
  ];
}

/** Messages to the tool endpoint that are wrong before any tool is asked. */
export function* messageShots(aim: Aim): Generator<Shot> {
  const wrap = (message: string): string => `{"jsonrpc":"2.0","id":1,${message}}`;
  const methods =
    'initialize ping resources/list prompts/get notifications/initialized tools/list constructor';
  const bodies = [
    ...'null [] "text" 1 {} {"jsonrpc":"2.0"} {"jsonrpc":"1.0","id":1,"method":"tools/list"}'.split(' '),
    ...some({ ...aim, inOnePlace: 20 * aim.ofTheSame }, badValues, 'messages').flatMap((value) => [
      wrap(`"method":${value}`),
      wrap(`"method":"tools/call","params":${value}`),
      wrap(`"method":"tools/call","params":{"name":${value},"arguments":{}}`),
      wrap(`"method":"tools/call","params":{"name":"list_people","arguments":{},"_meta":${value}}`),
      `{"jsonrpc":"2.0","id":${value},"method":"tools/list"}`,
    ]),
    ...methods
      .split(' ')
      .flatMap((method) => [
        wrap(`"method":"${method}"`),
        wrap(`"method":"${method}","params":{"cursor":1}`),
      ]),
    `[${Array.from({ length: 500 }, () => wrap('"method":"ping"')).join(',')}]`,
  ];
  const post = { method: 'POST', path: '/mcp', headers: json };
  for (const body of bodies) yield { label: `message ${body.slice(0, 120)}`, ...post, body };
  for (const method of ['GET', 'DELETE']) yield { label: `${method} /mcp`, method, path: '/mcp' };
  for (const version of ['', 'a'.repeat(5_000), '2026-07-28', '1999-01-01', '__proto__']) {
    const headers = { ...json, 'mcp-protocol-version': version, 'mcp-session-id': version };
    yield { label: `version ${version.slice(0, 20)}`, ...post, headers, body: wrap('"method":"tools/list"') };
  }
}
