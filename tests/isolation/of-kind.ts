import type { AnyOperation } from '../../src/kernel/operation.ts';
import { kindsOfCaller, withKind, type KindName } from '../support/kinds-of-caller.ts';
import { isLong } from '../support/volume.ts';

/**
 * The operations that are tried by one kind of caller. In the gate keys try all that are for them; sessions and
 * connections, who go the same ways with another credential, every third, and those that are for no key.
 */
export const ofKind = <Operation extends AnyOperation>(kind: KindName, operations: readonly Operation[]) =>
  withKind(kind, operations).filter(
    ({ operation }, index) => isLong || kind === 'key' || index % 3 === 0 || !isForKeys(operation),
  );

const isForKeys = (operation: AnyOperation): boolean =>
  kindsOfCaller.some((caller) => caller.kind === 'key' && caller.ways(operation).length > 0);
