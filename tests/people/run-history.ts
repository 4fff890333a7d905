import type { Perform } from '../../src/catalogue/perform.ts';
import { identifyPerson } from '../../src/domain/people/identify/identify-person.ts';
import { setOptOuts } from '../../src/domain/people/opt-outs/set-opt-outs.ts';
import { permissions, type Caller } from '../../src/kernel/caller.ts';
import { Failure } from '../../src/kernel/failure.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { optedOutBy, type History, type IdentifyCall } from './identify-history.ts';

export interface Identified {
  readonly person_id: string;
  readonly created: boolean;
}

/** What a history was answered, call by call. */
export type Answers = readonly Identified[];

/** Runs every call of a history, so many at a time. Whatever refuses one of them fails it. */
export async function runHistory(
  perform: Perform,
  org: OrgId,
  history: History,
  atOnce: number,
): Promise<Answers> {
  const answers: Promise<Identified>[] = [];
  const waiting = history.entries();
  const work = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      answers[index] = identify(perform, org, call);
      // The opt-out is of this call or an earlier one, and those are all under way.
      const of = call.optOut === null ? index : optedOutBy(call.optOut, index);
      const [{ person_id }] = await Promise.all([answers[of]!, answers[index]]);
      if (call.optOut !== null) await optOut(perform, org, person_id, call.optOut.flags);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return Promise.all(answers);
}

const callerOf = (org: OrgId): Caller => ({
  org,
  actor: { kind: 'service', id: 'a history' },
  permissions: new Set(permissions),
  powers: new Set(),
  face: 'mcp',
  requestId: 'a history',
  address: null,
  now: new Date(),
  mode: 'live',
  currency: 'USD',
});

async function identify(perform: Perform, org: OrgId, call: IdentifyCall): Promise<Identified> {
  const properties = call.withProperty === true ? { custom_properties: { noted: 'yes' } } : {};
  const { output } = await perform(identifyPerson, callerOf(org), { ...call.sent, ...properties });
  return output as unknown as Identified;
}

/** Somebody merged meanwhile is followed to where it went, as a caller would who reads `merged_into`. */
async function optOut(perform: Perform, org: OrgId, person_id: string, flags: object): Promise<void> {
  for (let id = person_id; ;) {
    try {
      await perform(setOptOuts, callerOf(org), { person_id: id, ...flags });
      return;
    } catch (error) {
      if (!(error instanceof Failure) || error.extras.merged_into === undefined) throw error;
      id = error.extras.merged_into;
    }
  }
}
