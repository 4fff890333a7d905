import { tooManyCalls } from '../../../kernel/call-shares.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import type { OnShed } from '../../../kernel/shed.ts';
import { slots, type Slots } from '../../../kernel/slots.ts';

/** Forms of an organization that register at once. In its share they leave most of the line to its API calls. */
const atOnce = 32;
/** What a request and its connection hold while they wait, beside the form. */
const bytesOfRequest = 16 * 1024;
/** What forms may hold while they wait: of one organization 2,000 short ones, which is ten seconds of 200 a second. */
const mostBytes = { ofOne: 32 * 1024 * 1024, ofAll: 64 * 1024 * 1024 };
/** Longer than calls of the API wait: a person does not send again by a program. */
const longestMs = 20_000;

interface Line {
  readonly places: Slots;
  bytes: number;
}

/** Resolves to what frees the place. Refuses whoever waited for long, and at once when very many wait. */
export type EnterLine = (org: OrgId, formBytes: number, gone: AbortSignal) => Promise<() => void>;

/**
 * Where forms wait until their organization's share has room. Calls of programs are refused when many are under way and
 * come again; a person who is refused goes away.
 */
export function formLine(onShed: OnShed): EnterLine {
  const lines = new Map<OrgId, Line>();
  let bytesOfAll = 0;

  const leave = (org: OrgId, line: Line, bytes: number): void => {
    line.bytes -= bytes;
    bytesOfAll -= bytes;
    if (line.bytes === 0) lines.delete(org);
  };

  return async (org, formBytes, gone) => {
    const line = lines.get(org) ?? { places: slots(atOnce, { longestMs }), bytes: 0 };
    const bytes = bytesOfRequest + formBytes;
    if (line.bytes + bytes > mostBytes.ofOne || bytesOfAll + bytes > mostBytes.ofAll) throw refuse(onShed);
    lines.set(org, line);
    line.bytes += bytes;
    bytesOfAll += bytes;
    if (!(await line.places.take(org, gone))) {
      leave(org, line, bytes);
      throw refuse(onShed);
    }
    return () => {
      line.places.free(org);
      leave(org, line, bytes);
    };
  };
}

function refuse(onShed: OnShed): Error {
  onShed('too_many_calls');
  return tooManyCalls();
}
