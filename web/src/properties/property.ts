import type { Output } from '../call/types.ts';

export type Property = Output<'list_property_configs'>['property_configs'][number];

export const types: readonly (readonly [type: Property['type'], said: string])[] = [
  ['string', 'Text'],
  ['number', 'Number'],
  ['boolean', 'Yes or no'],
];

export const sayType = (type: Property['type']): string => types.find(([one]) => one === type)![1];

/** A key that goes with a name: "Plan tier" is plan_tier. */
export const keyFor = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 100);
