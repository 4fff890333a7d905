const problem = { schema: { $ref: '#/components/schemas/Problem' } };

/** How a refusal comes: as JSON, or under its own name where `Accept` names that. */
export const problemContent = { 'application/json': problem, 'application/problem+json': problem };
