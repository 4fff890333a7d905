import { createHash, randomBytes } from 'node:crypto';

/** A secret that is handed out once. It has 256 random bits, so its hash needs neither salt nor time. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
