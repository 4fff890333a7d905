import type { Mapping } from '../record/mapping.ts';
import type { Measured } from './measure.ts';

/** What a commit would do, in numbers. A person whom only rows that are left out mean is not counted. */
export function numbersOf({ tally, configs }: Measured, { properties }: Mapping) {
  const counted = { people_to_update: 0, people_unchanged: 0 };
  const changed = properties.map(() => 0);
  for (const person of tally.remaining()) {
    if (!person.matched) continue;
    counted[person.isChanged ? 'people_to_update' : 'people_unchanged']++;
    for (const place of properties.keys()) if (person.hasOther(place)) changed[place]!++;
  }
  return {
    rows: tally.rows,
    people_to_create: tally.created,
    ...counted,
    people_to_opt_out: tally.optedOut,
    suppressed_again: tally.suppressedAgain,
    properties_to_create: configs.toCreate.map(({ key, name, type }) => ({ key, name, type })),
    values_changed: properties.flatMap(({ key, config_id }, place) =>
      config_id === null ? [] : { key, count: changed[place]! },
    ),
    joined: tally.joiningRows.length,
    merging_rows: tally.mergingRows.length,
    people_merged_away: tally.mergedAway,
    first_merging_rows: tally.firstMergingRows,
  };
}
