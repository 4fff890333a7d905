/** `suspended`: it sends and changes nothing until it is resumed. `deleting`: it is gone for everybody (ADR 64). */
export type OrgState = 'active' | 'suspended' | 'deleting';

interface Stated {
  readonly state: string;
  readonly state_reason: string | null;
}

/** Why an organization is suspended, as a sentence; undefined while it is not. */
export const suspensionOf = ({ state, state_reason }: Stated): string | undefined =>
  state === 'suspended' ? (state_reason ?? 'No reason was given.') : undefined;
