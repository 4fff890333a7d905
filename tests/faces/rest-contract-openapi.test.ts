import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { failureCodes } from '../../src/kernel/failure-codes.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;

interface Described {
  readonly operationId: string;
  readonly 'x-permission': string;
  readonly parameters: { name: string; in: string; required: boolean }[];
  readonly requestBody?: {
    required: boolean;
    content: { 'application/json': { schema: { properties: object; required: string[] } } };
  };
  readonly tags: string[];
  readonly responses: Record<string, { content: Record<string, { example?: unknown }>; $ref?: string }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: { url: string }[];
  readonly tags: { name: string; description: string }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly responses: Record<string, { content: unknown }>;
    readonly schemas: Record<string, unknown> & {
      readonly Problem: { properties: { code: { enum: string[] } } };
    };
  };
}

type Validate = (document: unknown) => Promise<{ valid: boolean; version?: string; errors?: unknown[] }>;

let document: Document;
let validate: Validate;

beforeAll(async () => {
  const response = await fetch(`${world().url}/v1/openapi.json`);
  document = (await response.json()) as Document;
  // The parser of the reference page: what it takes, readers of the page can read.
  const { resolve } = createRequire(import.meta.resolve('@scalar/fastify-api-reference'));
  const parser = (await import(pathToFileURL(resolve('@scalar/openapi-parser')).href)) as {
    validate: Validate;
  };
  validate = parser.validate;
});

const routes = catalogue.flatMap((operation) =>
  operation.faces.rest.map((route, index) => {
    const [method = '', url = ''] = route.split(' ');
    return { route, index, operation, method: method.toLowerCase(), path: url.replaceAll(/:(\w+)/g, '{$1}') };
  }),
);

test('the document is valid OpenAPI 3.1 of the version 1.0.0, and every reference in it is found', async () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe('1.0.0');
  expect(await validate(structuredClone(document))).toMatchObject({
    valid: true,
    version: '3.1',
    errors: [],
  });
});

test('the validator would notice what is wrong', async () => {
  const broken = JSON.parse(JSON.stringify(document).replaceAll('schemas/PersonSummary', 'schemas/Nobody'));
  expect(await validate(broken)).toMatchObject({ valid: false });
});

/** Take or answer a file and no JSON, so they are described by hand. */
const besides = [
  'post /v1/imports/csv',
  'get /v1/people/export',
  'get /v1/broadcasts/{broadcast_id}/recipients/export',
  'get /v1/webinars/{webinar_id}/registrations/export',
];

test('it holds every route of the catalogue and those of files, each with its own operationId', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const expected = [...routes.map(({ method, path }) => `${method} ${path}`), ...besides];
  expect(described.toSorted()).toEqual(expected.toSorted());
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(catalogue.map(({ name }) => name)));
});

test.each(routes)(
  '$route is described with its permission, fields and answers',
  ({ operation, method, path }) => {
    const described = document.paths[path]![method]!;
    expect(described['x-permission']).toBe(operation.permission);
    const inPath = described.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
    const inQuery = described.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const inBody = Object.keys(described.requestBody?.content['application/json'].schema.properties ?? {});
    const fields = Object.keys(operation.input.shape as object);
    expect([...inPath, ...inQuery, ...inBody].toSorted()).toEqual(fields.toSorted());
    const { creates } = operation;
    const served = creates === undefined ? ['200'] : creates === true ? ['201'] : ['200', '201'];
    const refusals = Object.keys(described.responses).filter((status) => !served.includes(status));
    expect(refusals).toEqual(expect.arrayContaining(['400', '401', '403', '429', 'default']));
    expect(refusals.includes('409')).toBe(operation.effect !== 'read');
    expect(refusals.includes('413')).toBe(described.requestBody !== undefined);
    expect(refusals.includes('404') || !inPath.length).toBe(true);
    for (const status of served) {
      expect(Object.keys(described.responses[status]!.content)).toEqual(['application/json']);
      expect(described.responses[status]!.content['application/json']!.example).toBeDefined();
    }
    for (const status of refusals)
      expect(described.responses[status]!.$ref).toMatch(/^#\/components\/responses\//);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(described.tags));
  },
);

test('every refusal is a problem object, as JSON or under its own name', () => {
  const problem = { schema: { $ref: '#/components/schemas/Problem' } };
  for (const { content } of Object.values(document.components.responses))
    expect(content).toEqual({ 'application/json': problem, 'application/problem+json': problem });
});

test('it says where the installation is', () => {
  expect(document.servers).toEqual([
    expect.objectContaining({ url: mailSettings(world().config).publicUrl }),
  ]);
});

test('every field and every parameter is described', () => {
  const bare: string[] = [];
  const look = (schema: unknown, at: string): void => {
    if (Array.isArray(schema)) return schema.forEach((one) => look(one, at));
    if (schema === null || typeof schema !== 'object') return;
    const { properties = {}, items, anyOf, oneOf, additionalProperties } = schema as Record<string, object>;
    for (const [name, field] of Object.entries(properties as Record<string, { description?: string }>)) {
      if (field.description === undefined && !('$ref' in field)) bare.push(`${at}.${name}`);
      look(field, `${at}.${name}`);
    }
    for (const inner of [items, anyOf, oneOf, additionalProperties]) look(inner, at);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
  for (const methods of Object.values(document.paths))
    for (const { operationId, parameters, requestBody, responses } of Object.values(methods)) {
      for (const { content } of [requestBody, ...Object.values(responses)].filter((one) => one !== undefined))
        look((content?.['application/json'] as { schema: unknown } | undefined)?.schema, operationId);
      for (const one of parameters as { name: string; description?: string }[])
        if (one.description === undefined) bare.push(`${operationId}?${one.name}`);
    }
  expect(bare).toEqual([]);
});

test('every code that a refusal can have is listed', () => {
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(failureCodes));
});

test('answers are left open, so that a field may be added within /v1', () => {
  const answers = [...Object.values(document.paths).map(responsesOf), document.components.responses];
  const shared = namesIn(answers);
  for (const name of shared)
    for (const further of namesIn(document.components.schemas[name])) shared.add(further);
  expect([...shared]).toEqual(expect.arrayContaining(['Problem', 'PersonSummary', 'StoredCondition']));
  const closed = '"additionalProperties":false';
  expect(JSON.stringify(answers)).not.toContain(closed);
  for (const name of shared) expect(JSON.stringify(document.components.schemas[name])).not.toContain(closed);
  const others = Object.keys(document.components.schemas).filter((name) => !shared.has(name));
  expect(others).toEqual(['FilterCondition', 'SentVariable', 'WorkflowGraph']); // sent only, and closed to what they do not know
});

/** The shared schemas that a part of the document refers to. */
const namesIn = (part: unknown): Set<string> =>
  new Set(Array.from(JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name!));

const responsesOf = (methods: Record<string, Described>): unknown[] =>
  Object.values(methods).map(({ responses }) => responses);

test('the reference page and the list of errors are served', async () => {
  for (const path of ['/docs/', '/docs/errors']) {
    const response = await fetch(world().url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
  }
});
