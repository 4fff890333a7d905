/** A program that asks a user for a connection. Nobody checked what it says of itself. */
export interface Client {
  /** One that we gave it when it registered, or the address of the document it describes itself in. */
  readonly id: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** The host of that document, which proves who wrote it; null for one that registered itself. */
  readonly host: string | null;
}

export type FindClient = (id: string) => Promise<Client | undefined>;

const longestName = 60;

/**
 * A client's name as it may be shown: one line of visible characters. Others could turn the direction of what stands
 * beside it, or hide in it.
 */
export function shownName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const visible = name
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const letters = Array.from(visible);
  if (letters.length === 0) return null;
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join('')}…` : visible;
}
