/** What an error is, for a log: its message may hold somebody's data. */
export const errorKind = (error: unknown): string =>
  (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'unknown');
