import catalogue from 'virtual:catalogue';
import type { OperationName, Output } from '../call/types.ts';
import { useAsk } from '../call/use-call.ts';

export type Me = Output<'get_me'>;

/** Who is signed in, and what they may do here. The frame shows nothing before this is known. */
export function useMe(): Me {
  const { data } = useAsk('get_me', {});
  if (data === undefined) throw new Error('The frame asks for this first.');
  return data;
}

/** Why an operation is not open to whoever is signed in, or undefined if it is. */
export function useWhyNot(): (operation: OperationName) => string | undefined {
  const { permissions, manages_access } = useMe();
  return (operation) => {
    const { permission, power } = catalogue[operation]!;
    if (permission !== undefined && !permissions.includes(permission))
      return `Needs ${permission}. An owner or admin can give you a role that has it.`;
    if (power === 'manage_access' && !manages_access) return 'Owners and admins do this.';
    return undefined;
  };
}
