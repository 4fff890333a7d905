import { expect } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';

/** A call that a model is likely to try, and what the refusal must tell for it to go on. */
export type Guess = readonly [
  tool: string,
  input: Record<string, unknown>,
  tells: readonly (string | RegExp)[],
];

/** Words of the validator, and places to look that a model does not have. */
const notWords =
  /Invalid (GUID|UUID|ISO|input|option|URL|email)|expected \w+, received|Too (big|small)|see errors/i;

export async function expectLedOn(org: TestOrg, guesses: readonly Guess[]): Promise<void> {
  const unhelpful: string[] = [];
  for (const [tool, input, tells] of guesses) {
    const { isError, text } = await org.tool(tool, input);
    const missing = tells.filter((one) => (typeof one === 'string' ? !text.includes(one) : !one.test(text)));
    if (!isError || missing.length > 0 || notWords.test(text))
      unhelpful.push(`${tool} ${JSON.stringify(input)}: ${text} (${missing.join(', ')})`);
  }
  expect(unhelpful).toEqual([]);
}

/** What a call that was mended answers. */
export async function answerOf(org: TestOrg, tool: string, input: Record<string, unknown>) {
  const { isError, text, body } = await org.tool(tool, input);
  expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' });
  return body;
}
