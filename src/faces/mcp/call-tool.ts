import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Perform } from '../../catalogue/perform.ts';
import { toFailure, toProblem } from '../../catalogue/problem.ts';
import type { TakeCallPlace } from '../../catalogue/share-calls.ts';
import { takeRate } from '../../catalogue/take-rate.ts';
import type { TakeRate } from '../../domain/orgs/rate-limit.ts';
import type { Caller } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { toToolText } from './tool-text.ts';

export interface ToolParts {
  readonly operations: readonly AnyOperation[];
  readonly perform: Perform;
  readonly rate: TakeRate;
  readonly take: TakeCallPlace;
  readonly onCall: (call: ToolCall) => void;
}

export interface ToolCall {
  readonly operation: string;
  readonly caller: Caller;
  readonly code: string;
  readonly milliseconds: number;
  readonly error?: unknown;
}

/** Runs one operation as a tool. A refusal is a result: a sentence for the model, the problem object for programs. */
export async function callTool(
  parts: ToolParts,
  operation: AnyOperation,
  caller: Caller,
  input: unknown,
  gone?: AbortSignal,
): Promise<CallToolResult> {
  const started = performance.now();
  const done = (code: string, error?: unknown) =>
    parts.onCall({
      operation: operation.name,
      caller,
      code,
      milliseconds: performance.now() - started,
      ...(error !== undefined && { error }),
    });
  try {
    if (gone?.aborted === true) throw new Failure('invalid_request', 'The client hung up before this call.');
    await takeRate(parts.rate, operation, caller);
    const { output } = await inHeavyPlace(parts, operation, caller, () =>
      parts.perform(operation, caller, input),
    );
    done('ok');
    return { structuredContent: output, content: [{ type: 'text', text: toToolText(output) }] };
  } catch (error) {
    const failure = toFailure(error);
    done(failure.code, failure === error ? undefined : error);
    return {
      isError: true,
      content: [{ type: 'text', text: failure.message }],
      structuredContent: { ...toProblem(failure, '/mcp', caller.requestId) },
    };
  }
}

/** The request has a place for light calls already. */
async function inHeavyPlace<T>(
  { take }: ToolParts,
  operation: AnyOperation,
  { org }: Caller,
  act: () => Promise<T>,
): Promise<T> {
  if (operation.cost !== 'heavy' && operation.memory !== 'much') return act();
  const free = await take(org, operation);
  try {
    return await act();
  } finally {
    free();
  }
}
