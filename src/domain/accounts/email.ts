import { z } from 'zod';

/** The address of an account, in the one spelling it is kept in. */
export const AccountEmail = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'must be an email address' }))
  .brand<'AccountEmail'>();
export type AccountEmail = z.infer<typeof AccountEmail>;
