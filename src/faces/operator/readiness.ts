export interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

type Checks = Readonly<Record<string, () => Promise<Check>>>;

export interface Readiness {
  /** Required for this process to serve. */
  readonly required: Checks;
  /** Reported, but not required to serve: writes wait in the outbox while the engine is away. */
  readonly informative: Checks;
}

/** Whether everything required holds, and what was found of each. */
export async function checkReadiness(
  readiness: Readiness,
): Promise<{ holds: boolean; checks: Record<string, Check> }> {
  const [required, informative] = await Promise.all([
    runChecks(readiness.required),
    runChecks(readiness.informative),
  ]);
  const holds = Object.values(required).every(({ ok }) => ok);
  return { holds, checks: { ...required, ...informative } };
}

async function runChecks(checks: Checks): Promise<Record<string, Check>> {
  const entries = Object.entries(checks).map(async ([name, check]): Promise<[string, Check]> => {
    try {
      return [name, await check()];
    } catch (error) {
      return [name, { ok: false, detail: (error as { code?: string }).code ?? 'did not answer' }];
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}
