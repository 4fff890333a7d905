import type { z } from 'zod';
import { inputFor } from '../../src/catalogue/parse-input.ts';
import type { AnyOperation, RestRoute } from '../../src/kernel/operation.ts';
import type { TestOrg } from './test-org.ts';

/** One way to an operation: a route of it, or the tool. */
export interface Way {
  readonly name: string;
  /** What may be sent this way: tools do not know the fields that need a power. */
  readonly input: z.ZodObject;
  readonly call: (as: TestOrg, input: Record<string, unknown>) => Promise<{ status: number; body: unknown }>;
}

/** Every way to an operation over every face. */
export function waysTo(operation: AnyOperation): Way[] {
  const overRest = operation.faces.rest.map((route) => ({
    name: route,
    input: operation.input as z.ZodObject,
    call: (as: TestOrg, input: Record<string, unknown>) => callRoute(as, route, input),
  }));
  if (operation.faces.tool !== true) return overRest;
  const overMcp = {
    name: `tool ${operation.name}`,
    input: inputFor(operation, { powers: new Set() }),
    call: (as: TestOrg, input: Record<string, unknown>) => callTool(as, operation.name, input),
  };
  return [...overRest, overMcp];
}

/** Fields go where a client would put them: into the path, else into the query or the body. */
async function callRoute(as: TestOrg, route: RestRoute, input: Record<string, unknown>) {
  const [method = '', pattern = ''] = route.split(' ');
  const rest = { ...input };
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (method !== 'GET' && method !== 'DELETE') return as.rest(`${method} ${path}`, rest);
  const words = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
  return as.rest(`${method} ${path}?${new URLSearchParams(words).toString()}`);
}

async function callTool(as: TestOrg, name: string, input: Record<string, unknown>) {
  const { isError, body } = await as.tool(name, input);
  return { status: isError ? (body.status as number) : 200, body: body as unknown };
}
