import type { JsonSchema, ToolSchemas } from './tool-schemas.ts';

export interface DescribedTool {
  readonly name: string;
  readonly schemas: ToolSchemas;
}

const reference = '#/$defs/';

/**
 * Records that several tools answer with, a broadcast or a segment, were a quarter of the list. The first tool of a
 * list describes such a record in full, and the others name that tool: a caller is only ever referred to a tool in its
 * own list. An open object, which every answer fits, replaces the record. Inputs are described in full everywhere,
 * because callers have to build them.
 */
export function shareRecords<T extends DescribedTool>(tools: readonly T[]): T[] {
  const describedBy = new Map<string, string>();
  return tools.map((tool) => {
    const output = referBack(tool.schemas.output, describedBy);
    for (const name of Object.keys(output['$defs'] ?? {})) describedBy.set(name, tool.name);
    return { ...tool, schemas: { ...tool.schemas, output } };
  });
}

/** The schema with its own records, and a reference to those that another tool describes. */
function referBack(schema: JsonSchema, describedBy: ReadonlyMap<string, string>): JsonSchema {
  const { $defs: records = {}, ...rest } = schema as { $defs?: Record<string, JsonSchema> };
  const own: Record<string, JsonSchema> = {};
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    const name = nameOf(part as JsonSchema);
    if (name === undefined)
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, walk(one)]));
    const teller = describedBy.get(name);
    if (teller !== undefined) {
      const { type } = records[name]!; // a choice has none
      return {
        ...(type !== undefined && { type }),
        description: wordsFor(part, `${name}, as in ${teller}.`),
      };
    }
    if (!(name in own)) {
      own[name] = {}; // a record may hold itself
      own[name] = walk(records[name]) as JsonSchema;
    }
    return part;
  };
  const said = walk(rest) as JsonSchema;
  return Object.keys(own).length === 0 ? said : { ...said, $defs: own };
}

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(reference) ? $ref.slice(reference.length) : undefined;

const wordsFor = ({ description }: { readonly description?: unknown }, further: string): string =>
  typeof description === 'string' ? `${description} ${further}` : further;
