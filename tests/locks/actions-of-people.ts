import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { committing } from '../imports/committing.ts';
import type { Stage } from './stage.ts';

/** One thing that may happen at any time. Nothing to do it with: it does nothing, and answers so. */
export type Action = (stage: Stage) => Promise<unknown>;
export const idle = Promise.resolve('nothing to do it with');

const when = <T>(found: T | undefined, act: (found: T) => Promise<unknown>): Promise<unknown> =>
  found === undefined ? idle : act(found);

export const one = <T>(stage: Stage, from: readonly T[], act: (picked: T) => Promise<unknown>) =>
  when(from.length === 0 ? undefined : stage.random.pick(from), act);

export const actionsOfPeople: Readonly<Record<string, Action>> = {
  identify_new: (stage) => stage.call('identify_person', { email: stage.email(), phone: stage.phone() }),
  identify_merge: (stage) =>
    stage.call('identify_person', {
      email: stage.email(),
      phone: stage.phone(),
      external_user_id: stage.externalId(),
      first_name: 'Ada',
      custom_properties: { tier: 'c' },
    }),
  identify_once: (stage) =>
    stage.call('identify_person', { email: stage.email() }, `key ${stage.random.int(0, 2)}`),
  update_person: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('update_person', { person_id, first_name: `Name ${stage.random.int(0, 9)}` }),
    ),
  set_opt_outs: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('set_opt_outs', { person_id, email_opt_out: stage.random.chance(0.3), sms_opt_out: false }),
    ),
  delete_person: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('delete_person', { person_id, drop_suppression: true }),
    ),
  add_identifier: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('add_identifier', {
        person_id,
        identifier_type: 'phone',
        identifier_value: stage.phone(),
        is_contact_method: true,
      }),
    ),
  update_identifier: (stage) =>
    one(stage, stage.there.identifiers, ({ id, person_id }) =>
      stage.call('update_identifier', { person_id, identifier_id: id, is_primary_for_type: true }),
    ),
  remove_identifier: (stage) =>
    one(stage, stage.there.identifiers, ({ id, person_id }) =>
      stage.call('remove_identifier', { person_id, identifier_id: id }),
    ),
  replace_external_id: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('replace_external_id', { person_id, external_user_id: stage.externalId() }),
    ),
  set_person_property: (stage) =>
    one(stage, stage.there.people, (person_id) =>
      stage.call('set_person_property', {
        person_id,
        key: 'tier',
        value: stage.random.pick(['a', 'b', null]),
      }),
    ),
  apply_changes: (stage) =>
    one(stage, stage.there.changes, (id) => applyChanges(stage.database, stage.org.id, id)),
  create_property_config: (stage) =>
    stage.call('create_property_config', {
      key: stage.random.pick(['tier', 'score', `extra_${stage.random.int(0, 5)}`]),
      name: 'Some',
      type: 'string',
    }),
  delete_property_config: (stage) =>
    one(stage, stage.there.configs, ({ id }) => stage.call('delete_property_config', { config_id: id })),
  lift_blacklist_entry: (stage) =>
    one(stage, stage.there.blacklist, (blacklist_entry_id) =>
      stage.call('lift_blacklist_entry', { blacklist_entry_id, reason: 'asked' }),
    ),
  record_events: (stage) =>
    stage.call('record_events', {
      events: Array.from({ length: stage.random.int(1, 4) }, () => ({
        event_name: 'said',
        email: stage.email(),
        ...(stage.random.chance(0.5) && { event_id: `event ${stage.random.int(0, 99)}` }),
      })),
    }),
  commit_import: async (stage) => {
    const known = stage.there.imports.find(({ status }) => status === 'committing');
    const { configs } = stage.there;
    const property = configs.find(({ key }) => key === 'tier');
    const import_id =
      known === undefined
        ? await committing(stage.world, stage.org, {
            merges: stage.random.pick(['allow', 'block']),
            properties: property === undefined ? [] : [{ column: 'Tier', config_id: property.id } as never],
            rows: Array.from({ length: 6 }, () => ({
              email: stage.email(),
              phone: stage.phone(),
              optsOut: stage.random.chance(0.2),
              values: property === undefined ? [] : ['d'],
            })),
          })
        : (known.id as ImportId);
    return runImport(stage.parts, { org_id: stage.org.id, import_id });
  },
  cancel_import: (stage) =>
    one(stage, stage.there.imports, ({ id }) => stage.call('cancel_import', { import_id: id })),
};
