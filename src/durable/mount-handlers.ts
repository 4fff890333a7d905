import * as restate from '@restatedev/restate-sdk';
import {
  engineMessages,
  messageNames,
  type MessageFields,
  type MessageName,
  type Received,
} from '../database/engine-messages.ts';
import { continueTrace, type Tracer } from '../kernel/trace.ts';
import { noPlaceMs } from './in-place.ts';

/** Sends the message on to its own handler: another part of the same work, now or later. */
export type Again<Name extends MessageName> = (fields: MessageFields<Name>, delayMs?: number) => void;

export interface MessageHandler<Name extends MessageName> {
  readonly options: Omit<restate.ServiceOptions, 'journalRetention'>;
  /** `no_place`: too much is under way, so that the message is to come again. */
  readonly handle: (
    context: restate.Context,
    received: Received<Name>,
    again: Again<Name>,
  ) => Promise<'no_place' | void>;
}

/** Exactly one handler for each declared message. */
export type MessageHandlers = { readonly [Name in MessageName]: MessageHandler<Name> };

/** The rows still say what is due, and the sweep sends it again: an attempt that was given up must not lie about. */
const neverPaused = { onMaxAttempts: 'kill' } as const;

const asJson = restate.serde.json as restate.Serde<unknown>;

export const mountHandlers = (handlers: MessageHandlers, tracer?: Tracer) =>
  messageNames.map((name) => mount(name, handlers, tracer));

function mount<Name extends MessageName>(name: Name, handlers: MessageHandlers, tracer?: Tracer) {
  const { is, handler, payload, oneByOne } = engineMessages[name];
  const { options, handle }: MessageHandler<Name> = handlers[name];
  const definition = {
    name: name as string,
    options: { retryPolicy: neverPaused, ...options, journalRetention: 0 },
    handlers: {
      [handler]: async (context: restate.Context, raw: unknown) => {
        const parsed = payload.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError(`not ${is}`);
        const received = parsed.data as Received<Name>;
        const cause = context.request().headers.get('traceparent');
        // Handed on as it came: what a handler sends must be the same in every attempt.
        const passedOn = cause === undefined ? {} : { headers: { traceparent: cause } };
        const send = (parameter: unknown, delay: number): void => {
          const to = { service: name, method: handler, ...(oneByOne && { key: received.org_id }) };
          context.genericSend({ ...to, parameter, delay, inputSerde: asJson, ...passedOn });
        };
        const again: Again<Name> = (fields, delay = 0) => send({ org_id: received.org_id, ...fields }, delay);
        const begun = { name, kind: 'consumer', fields: { org_id: received.org_id } } as const;
        const done = await continueTrace(tracer, cause, begun, () => handle(context, received, again));
        if (done === 'no_place') send(raw, noPlaceMs);
      },
    },
  };
  return oneByOne ? restate.object(definition) : restate.service(definition);
}
