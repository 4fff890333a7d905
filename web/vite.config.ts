import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { operations } from '../src/catalogue/operations.ts';
import { channels } from '../src/domain/broadcasts/draft/broadcast.ts';
import { outcomes, reasons } from '../src/domain/broadcasts/outcome/outcome.ts';
import { wordsFor } from '../src/domain/broadcasts/outcome/outcome-words.ts';
import { operatorsOf } from '../src/domain/filters/parse-test.ts';
import { choicesOf, isMoney, kindOf, personFields } from '../src/domain/filters/person-fields.ts';
import { everyPlatform } from '../src/domain/webinars/platforms/registry.ts';
import { mostColumns, mostRows, mostRowsACall } from '../src/domain/imports/record/import.ts';
import { namingTargets } from '../src/domain/imports/record/mapping.ts';
import { managesAccess, permissionsOf, roles } from '../src/kernel/caller.ts';

const keyed = <Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<string, Value> => Object.fromEntries(names.map((name) => [name, valueOf(name)]));

/** What the browser must know of the service, as data: no code of it comes along, and no rule is written twice. */
function facts(): Plugin {
  const modules: Readonly<Record<string, unknown>> = {
    'virtual:catalogue': Object.fromEntries(
      operations.map(({ name, faces, ...rest }) => [
        name,
        {
          route: faces.rest[0],
          ...('permission' in rest && { permission: rest.permission }),
          ...('tool' in faces && { tool: true }),
          ...('power' in rest && { power: rest.power }),
        },
      ]),
    ),
    'virtual:filters': {
      operatorsOf,
      fields: personFields.map((name) => ({
        name,
        kind: kindOf(name),
        choices: choicesOf(name),
        isMoney: isMoney(name),
      })),
    },
    'virtual:platforms': everyPlatform.map(([name, { label, credentials }]) => ({
      name,
      label,
      fields: Object.entries(credentials).map(([field, { label: called, secret, words }]) => ({
        name: field,
        label: called,
        secret,
        words,
      })),
    })),
    'virtual:imports': { mostRows, mostRowsACall, mostColumns, namingTargets: [...namingTargets] },
    'virtual:reasons': keyed(outcomes, (outcome) =>
      keyed(reasons, (reason) => keyed(channels, (channel) => wordsFor(outcome, reason, channel))),
    ),
    'virtual:roles': roles.map((role) => ({
      role,
      permissions: permissionsOf[role],
      managesAccess: managesAccess(role),
    })),
  };
  return {
    name: 'rostrum-facts',
    resolveId: (asked) => (Object.hasOwn(modules, asked) ? `\0${asked}` : undefined),
    load: (asked) =>
      asked.startsWith('\0virtual:')
        ? `export default ${JSON.stringify(modules[asked.slice(1)])}`
        : undefined,
  };
}

/** Each text also as it is sent to browsers that take it compressed. Last, when nothing changes it any more. */
function compressed(): Plugin {
  return {
    name: 'rostrum-compressed',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((one) => /\.(js|css|html)$/.test(one))) {
        const file = join(dir, name);
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      }
    },
  };
}

export default defineConfig({
  worker: { format: 'es' },
  plugins: [react(), facts(), compressed()],
  build: {
    target: 'es2023',
    // Everything is fetched with a policy that forbids what is inside of a page or of a stylesheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Which file needs which, for `npm run budgets`.
    manifest: true,
  },
});
