import { expect } from 'vitest';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';

export const mapping = { Email: 'email', Name: 'first_name' };

/** Sends a file as the dashboard does. */
export function sendCsv(
  org: TestOrg,
  query: Readonly<Record<string, unknown>>,
  file: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  return streamCsv(org, query, typeof file === 'string' ? file : new Uint8Array(file), headers);
}

/** The same with a body that comes bit by bit. */
export async function streamCsv(
  org: TestOrg,
  query: Readonly<Record<string, unknown>>,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const response = await fetch(urlOf(org, query), {
    method: 'POST',
    headers: { authorization: org.secret, 'auth-type': 'api', 'content-type': 'text/csv', ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export function urlOf(org: TestOrg, query: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `${org.url}/v1/imports/csv?${new URLSearchParams(words).toString()}`;
}

/** Sends a file with the usual mapping as a new import and answers its id. */
export async function takeCsv(org: TestOrg, file: string | Uint8Array): Promise<string> {
  const { status, body } = await sendCsv(org, { name: 'Spring', mapping }, file);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.import_id;
}

/** The imports of an organization, which a refused file adds nothing to. */
export const importsOf = async (org: TestOrg): Promise<unknown[]> =>
  (await org.rest('GET /v1/imports')).body.data_imports;
