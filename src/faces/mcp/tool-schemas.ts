import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { inputFor } from '../../catalogue/parse-input.ts';
import type { AnyOperation } from '../../kernel/operation.ts';

export interface ToolSchemas {
  readonly input: StandardSchemaWithJSON;
  readonly output: StandardSchemaWithJSON;
}

const noPowers = { powers: new Set<never>() };

/** The schemas a tool advertises: without the fields that only powers open, since tool callers have none. */
export const schemasOf = (operation: AnyOperation): ToolSchemas => ({
  input: advertise(inputFor(operation, noPowers) as unknown as StandardSchemaWithJSON),
  output: advertise(operation.output as StandardSchemaWithJSON),
});

/**
 * The SDK would parse as well, and a second parse of a transformed value fails: it is shown the schema and left nothing
 * to validate. It would also derive the JSON schema anew for every request, which cost ten times the call itself.
 */
function advertise(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const standard = schema['~standard'];
  const derive = (side: 'input' | 'output') => {
    const known = new Map<string, Record<string, unknown>>();
    return (options: Parameters<typeof standard.jsonSchema.input>[0]) => {
      const key = JSON.stringify(options);
      const derived = known.get(key) ?? standard.jsonSchema[side](options);
      known.set(key, derived);
      return derived;
    };
  };
  return {
    '~standard': {
      ...standard,
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: derive('input'), output: derive('output') },
    },
  };
}
