import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { OrgId } from '../kernel/ids.ts';
import type { DB } from './tables.generated.ts';

type Wire<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;

/** The fields that every payload has. What a handler adds when it sends itself on is optional. */
type Always<Shape extends z.ZodRawShape> = Extract<
  {
    [Field in keyof Wire<Shape>]: object extends Pick<Wire<Shape>, Field> ? never : Field;
  }[keyof Wire<Shape>],
  string
>;

/** Selects the rows that were due by a moment. */
export interface DueBy {
  readonly now: Date;
  readonly latest: RawBuilder<unknown>;
  /** The engine may have lost everything, including the handler that was at work on a row. */
  readonly engineLost: boolean;
}

/** The rows that make a message due, as `d`. */
export interface Due<Field extends string = string> {
  /** The field of the payload that names the row: while a message with it waits in the outbox, no other is written. */
  readonly names: Field;
  /** An organization's clock may run ahead of the service's; work for the world outside goes by the service's. */
  readonly clock: 'organization' | 'service';
  /** An alarm may be sent ahead of its time, and waits for it in the engine. */
  readonly alarm?: true;
  /** Not told while the organization is suspended. What came due meanwhile is told once it is active. */
  readonly rests?: true;
  readonly from: keyof DB | ((by: DueBy) => RawBuilder<unknown>);
  readonly at: string;
  readonly where?: (by: DueBy) => RawBuilder<unknown>;
  readonly payload: Readonly<Record<Field, RawBuilder<unknown>>>;
}

interface Declared<Shape extends z.ZodRawShape> {
  /** What a payload is, in words, for the error about one that is malformed. */
  readonly is: string;
  readonly handler: string;
  /**
   * The engine does those of one organization one after another. They wait in a line of the organization's own, so that
   * any number of them holds one of the engine's places.
   */
  readonly oneByOne?: true;
  readonly payload: Shape;
  readonly due: Due<Always<Shape>>;
}

/** Every payload begins with its organization. */
export const declareMessage = <Shape extends z.ZodRawShape>({
  payload,
  due,
  oneByOne,
  ...rest
}: Declared<Shape>) => ({
  ...rest,
  oneByOne: oneByOne === true,
  payload: z.object({ org_id: OrgId, ...payload }),
  due: due as Due,
});

/** The payload of the row `d`. */
export const payloadOf = ({ payload }: Due): RawBuilder<unknown> =>
  sql`jsonb_build_object('org_id', d.org_id, ${sql.join(
    Object.entries(payload).map(([field, value]) => sql`${sql.lit(field)}, ${value}`),
  )})`;

/** A moment as JSON has it. */
export const isoText = (column: string): RawBuilder<unknown> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
