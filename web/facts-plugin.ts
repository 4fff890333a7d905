import type { Plugin } from 'vite';

/** Modules that hold facts about the service. It is loaded only when one is asked for. */
export const factsPlugin = (): Plugin => ({
  name: 'rostrum-facts',
  resolveId: (asked) => (asked.startsWith('virtual:') ? `\0${asked}` : undefined),
  load: async (asked) =>
    asked.startsWith('\0virtual:')
      ? `export default ${JSON.stringify((await import('./facts.ts')).facts[asked.slice(1)])}`
      : undefined,
});
