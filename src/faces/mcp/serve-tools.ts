import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { isPermitted } from '../../catalogue/perform.ts';
import type { Caller, Permission } from '../../kernel/caller.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { callTool, type ToolParts } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { shareRecords } from './share-records.ts';
import { advertise, schemasOf, type ToolSchemas } from './tool-schemas.ts';

interface Tool {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly schemas: ToolSchemas;
}

/** `offered`: what the tools of a list may ask for. A connection may ask its user for more than it was granted. */
export type ServeTools = (
  caller: Caller,
  calledTool: string | undefined,
  offered?: ReadonlySet<Permission>,
  /** Aborted when the client is gone. */
  gone?: AbortSignal,
) => McpServer;

/**
 * A server for one request. A list shows the tools this caller may call; a call registers the called tool alone,
 * permitted or not, since `perform` is what refuses.
 */
export function toolServer(parts: ToolParts): ServeTools {
  const tools = new Map<string, Tool>();
  for (const operation of parts.operations) {
    const { name, faces } = operation;
    if (faces.tool !== true) continue;
    // Derived when they are first shown: all of them at once hold others up for a tenth of a second.
    tools.set(name, {
      name,
      operation,
      get schemas() {
        return schemasOf(operation);
      },
    });
  }
  const lists = new Map<string, readonly Tool[]>();
  const listFor = (caller: Caller): readonly Tool[] => {
    const key = [...caller.permissions].toSorted().join(' ');
    const list =
      lists.get(key) ??
      shareRecords([...tools.values()].filter(({ operation }) => isPermitted(operation, caller)));
    lists.set(key, list);
    return list;
  };
  return (caller, calledTool, offered = caller.permissions, gone) => {
    const server = new McpServer(
      { name: 'rostrum', version: '1.0.0' },
      {
        capabilities: { tools: {} },
        instructions,
      },
    );
    // The calls of a batch run one after another: it is one request, with one place.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = (act: () => Promise<CallToolResult>): Promise<CallToolResult> => {
      const result = last.then(act);
      last = result;
      return result;
    };
    const called = calledTool === undefined ? undefined : tools.get(calledTool);
    const registered = called === undefined ? listFor({ ...caller, permissions: offered }) : [called];
    // The SDK answers a list only once a tool is registered; a key that may call none gets an empty one.
    if (registered.length === 0) server.server.setRequestHandler('tools/list', () => ({ tools: [] }));
    for (const { operation, schemas } of registered) {
      server.registerTool(
        operation.name,
        {
          title: operation.title,
          description: operation.summary,
          inputSchema: advertise(schemas.input),
          outputSchema: advertise(schemas.output),
          annotations: {
            readOnlyHint: operation.effect === 'read',
            destructiveHint: operation.effect === 'change' || operation.effect === 'destroy',
            idempotentHint: operation.effect === 'read' || operation.repeatable === true,
            openWorldHint: false,
          },
        },
        (input: unknown) => inTurn(() => callTool(parts, operation, caller, input ?? {}, gone)),
      );
    }
    return server;
  };
}
