import type { IsCrowded } from '../kernel/breather.ts';
import { callShares, type FreePlace } from '../kernel/call-shares.ts';
import type { OrgId } from '../kernel/ids.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { OnShed } from '../kernel/shed.ts';

/** What decides which places a call takes. */
export type CallCost = Pick<AnyOperation, 'cost' | 'memory'>;

/** Takes a place in the organization's share, which is free again once the answer is called. */
export type TakeCallPlace = (org: OrgId, call: CallCost) => Promise<FreePlace>;

/** One import of 50,000 rows alone keeps the thread of a process busy for half of its time, and holds 40 MB. */
const muchMemory = { places: 2, least: 1 };
/**
 * How long the place of a heavy call rests while others are active, by how long it took. Up to half of that it keeps the
 * thread that answers everybody: a plan of the largest body for 20 ms of 60.
 */
const restsFor = 8;
const longestRestMs = 1_000;
/** The turn before takes that long. */
const longestTurnMs = 60_000;

/** A place stands for a connection. Some stay free for what is no call: credentials, rates, pages, webhooks. */
function placesOf(connections: number) {
  const heavy = Math.max(1, Math.floor(connections / 4));
  const spare = Math.max(1, Math.floor(connections / 4));
  const light = Math.max(1, connections - heavy - spare);
  return {
    light: { places: light, least: 2 },
    heavy: { places: heavy, least: 1 },
    forms: Math.ceil(light / 2),
  };
}

export interface CallListeners {
  readonly onShed: OnShed;
  /** Hears how long a heavy call took, its wait for a place left out. */
  readonly onHeavy: (org: OrgId, ms: number) => void;
}

export interface SharedCalls {
  readonly take: TakeCallPlace;
  readonly takeForForm: (org: OrgId) => Promise<FreePlace>;
  readonly isCrowded: IsCrowded;
}

export function shareCalls(connections: number, { onShed, onHeavy }: CallListeners): SharedCalls {
  const { take, isCrowded } = callShares(placesOf(connections), { onShed });
  const { take: takeTurn } = callShares(
    { light: muchMemory, heavy: muchMemory },
    { onShed, longestWaitMs: longestTurnMs },
  );
  const takeHeavy = async (org: OrgId): Promise<FreePlace> => {
    const free = await take(org, 'heavy');
    const began = performance.now();
    return (restMs = 0) => {
      const ms = performance.now() - began;
      free(Math.max(restMs, Math.min(ms * restsFor, longestRestMs)));
      onHeavy(org, ms);
    };
  };
  const takeCall: TakeCallPlace = async (org, { cost, memory }) => {
    if (memory !== 'much') return cost === 'heavy' ? takeHeavy(org) : take(org, 'light');
    const endTurn = await takeTurn(org, 'heavy');
    try {
      const free = await takeHeavy(org);
      return (restMs) => {
        free(restMs);
        endTurn();
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  };
  return { take: takeCall, takeForForm: (org) => take(org, 'form'), isCrowded };
}
