import { z } from 'zod';
import { isHostile } from '../../../../kernel/hostile-text.ts';

/** Text in an answer. Drops text that the database refuses: one such row would keep its page from being written. */
export const said = z
  .string()
  .max(2_000)
  .refine((text) => !isHostile(text))
  .optional()
  .catch(undefined);

/** A key that is written as text or as a number. */
export const saidKey = z
  .union([z.string().max(200), z.int().transform(String)])
  .refine((text) => !isHostile(text))
  .optional()
  .catch(undefined);

export const saidUrl = z
  .url({ protocol: /^https?$/ })
  .max(4_000)
  .refine((text) => !isHostile(text))
  .optional()
  .catch(undefined);

/** Platforms quote addresses in their messages; what is stored of a message has none. */
export const withoutAddresses = (text: string): string => text.replaceAll(/\S+@\S+/g, '…').slice(0, 200);

/** A report row from what the platform says about one stay in the room. */
export function rowOf({
  externalId,
  email,
  leftAt,
}: {
  readonly externalId?: string | undefined;
  readonly email?: string | undefined;
  readonly leftAt?: string | undefined;
}) {
  const address = email?.trim().toLowerCase();
  const left = new Date(leftAt ?? '');
  return {
    ...(externalId !== undefined && externalId !== '' && { externalId }),
    ...(address !== undefined && address !== '' && { email: address }),
    ...(!Number.isNaN(left.getTime()) && { leftAt: left }),
  };
}
