import { operations } from '../src/catalogue/operations.ts';
import { channels } from '../src/domain/broadcasts/draft/broadcast.ts';
import { outcomes, reasons } from '../src/domain/broadcasts/outcome/outcome.ts';
import { wordsFor } from '../src/domain/broadcasts/outcome/outcome-words.ts';
import { operatorsOf } from '../src/domain/filters/parse-test.ts';
import { choicesOf, isMoney, kindOf, personFields } from '../src/domain/filters/person-fields.ts';
import { everyPlatform } from '../src/domain/webinars/platforms/registry.ts';
import { mostColumns, mostRows, mostRowsACall } from '../src/domain/imports/record/import.ts';
import { namingTargets } from '../src/domain/imports/record/mapping.ts';
import { mostNodes } from '../src/domain/workflows/graph/graph.ts';
import { nodeTypes } from '../src/domain/workflows/nodes/index.ts';
import { triggerTypes } from '../src/domain/workflows/triggers/index.ts';
import { managesAccess, permissionsOf, roles } from '../src/kernel/caller.ts';

const keyed = <Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<string, Value> => Object.fromEntries(names.map((name) => [name, valueOf(name)]));

/** What the browser must know of the service, as data: no code of it comes along, and no rule is written twice. */
export const facts: Readonly<Record<string, unknown>> = {
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
  'virtual:workflows': {
    mostNodes,
    nodes: Object.fromEntries(
      Object.values(nodeTypes).map(({ type, label, fields, edges, run }) => [
        type,
        { label, fields, edges, deeds: run.deeds },
      ]),
    ),
    triggers: Object.fromEntries(
      Object.values(triggerTypes).map(({ type, label, fields }) => [
        type,
        { label, fields, edges: [{ field: 'next', needed: true }] },
      ]),
    ),
  },
  'virtual:roles': roles.map((role) => ({
    role,
    permissions: permissionsOf[role],
    managesAccess: managesAccess(role),
  })),
};
