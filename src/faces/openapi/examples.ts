import told from './examples.json' with { type: 'json' };

export interface Example {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
}

const examples = told as Readonly<Record<string, Example>>;

/** What an operation was asked and answered in a run of tests/faces/openapi-examples.test.ts. */
export const exampleOf = (operation: string): Example | undefined => examples[operation];
