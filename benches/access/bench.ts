import type { Size } from '../support/command.ts';
import type { Figure } from '../support/figure.ts';
import { besideSignIns } from './beside-sign-ins.ts';
import { byConnection } from './by-connection.ts';
import { bySession } from './by-session.ts';

/** What it costs to be a user instead of a key, and what others notice of people who sign in. */
export const access = async (size: Size): Promise<Figure[]> => [
  ...(await bySession(size)),
  ...(await byConnection(size)),
  ...(await besideSignIns(size)),
];
