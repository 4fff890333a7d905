import roles from 'virtual:roles';

/** The roles there are, as choices. */
export const roleChoices = roles.map(({ role }) => [role, role[0]!.toUpperCase() + role.slice(1)] as const);
