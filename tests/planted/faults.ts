/** A fault that somebody could make. `npm run test:planted` makes each in a copy, where its test must fail. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  /** Text of that file that is there once, and what is put in its place. */
  readonly from: string;
  readonly to: string;
  /** A test of the gate that notices it. */
  readonly test: string;
}

const sending = 'src/domain/broadcasts/sending';
const letter = 'src/domain/broadcasts/plan/write-letter.ts';
const merging = 'tests/people/identify-merge-fields.test.ts';

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'an email is sent without its layout',
    file: letter,
    from: '  const page = pageOf(',
    to: '  const page = isTracked ? [...tracked] : pageOf(',
    test: 'tests/delivery/letter.test.ts',
  },
  {
    name: 'the plain part has no footer',
    file: letter,
    from: 'end.trimEnd() + underText(layout)',
    to: 'end.trimEnd()',
    test: 'tests/delivery/letter.test.ts',
  },
  {
    name: 'the preview text is shown and not sent',
    file: letter,
    from: "previewText: draft.preview_text ?? ''",
    to: "previewText: isTracked ? '' : (draft.preview_text ?? '')",
    test: 'tests/delivery/letter.test.ts',
  },
  {
    name: 'a merge loses money',
    file: 'src/domain/person-fields/payment.ts',
    from: '  mrr: {\n    ...mirrored,',
    to: "  mrr: {\n    ...mirrored,\n    merge: 'survivor',",
    test: merging,
  },
  {
    name: 'a merge loses the date of a payment',
    file: 'src/domain/person-fields/payment.ts',
    from: '  next_payment_date: {\n    ...mirrored,',
    to: "  next_payment_date: {\n    ...mirrored,\n    merge: 'survivor',",
    test: merging,
  },
  {
    name: 'a row that was given up becomes pending again',
    file: 'src/domain/delivery/ledger/settle.ts',
    from: "(d.state = 'uncertain' and s.state <> 'pending')",
    to: "d.state = 'uncertain'",
    test: 'tests/delivery/settle.test.ts',
  },
  {
    name: 'the second of two waits of one moment counts as past',
    file: 'src/domain/workflows/nodes/wait.ts',
    from: 'due >= bound',
    to: 'due > bound',
    test: 'tests/workflows/walk.test.ts',
  },
  {
    name: 'an uncertain twin does not count',
    file: `${sending}/check-window.ts`,
    from: "t.state in ('sent', 'uncertain')",
    to: "t.state = 'sent'",
    test: 'tests/broadcasts/sending/sending-twins.test.ts',
  },
  {
    name: 'waits that a pause holds are found again',
    file: 'src/domain/workflows/runs/due-waits.ts',
    from: 'not w.held and w.anchor is null',
    to: 'w.anchor is null',
    test: 'tests/workflows/release.test.ts',
  },
  {
    name: 'a power is not asked for',
    file: 'src/catalogue/perform.ts',
    from: 'operation.power !== undefined && !caller',
    to: 'operation.power === undefined && !caller',
    test: 'tests/isolation/catalogue-powers.test.ts',
  },
  {
    name: 'a merge loses an opt-out',
    file: 'src/domain/people/merge/merge-people.ts',
    from: 'o.email_opt_out or excluded.email_opt_out,',
    to: 'o.email_opt_out,',
    test: 'tests/people/opt-outs-merged.test.ts',
  },
  {
    name: 'an address that opted out under somebody else is written to',
    file: `${sending}/check-window.ts`,
    from: 'suppressed.get(address)',
    to: 'undefined',
    test: 'tests/broadcasts/sending/suppressed-addresses.test.ts',
  },
  {
    name: 'a test organization writes to anybody',
    file: 'src/domain/delivery/outgoing/test-recipients.ts',
    from: '  testRecipients.includes(address.toLowerCase()) ||',
    to: '  testRecipients.length > 0 ||',
    test: 'tests/delivery/test-recipients.test.ts',
  },
  {
    name: 'an idempotency key answers another request',
    file: 'src/domain/orgs/idempotent-answer.ts',
    from: 'earlier.input_hash?.equals(hash) !== true',
    to: 'earlier.input_hash === null',
    test: 'tests/faces/rest-contract-idempotency.test.ts',
  },
  {
    name: 'what a plan was made of may change before it is scheduled',
    file: 'src/domain/broadcasts/plan/schedule-broadcast.ts',
    from: '  if (drift.length === 0 && inputs.revision === plan.revision) return;',
    to: '  if (inputs.revision === plan.revision) return;',
    test: 'tests/broadcasts/plan/drift-every-thing.test.ts',
  },
  {
    name: 'an import is committed over other rows than were previewed',
    file: 'src/domain/imports/commit/commit-import.ts',
    from: 'refuseOtherWorld(promised.digests, digests);',
    to: 'void digests;',
    test: 'tests/imports/commit-refusals.test.ts',
  },
  {
    name: 'programs count as readers',
    file: 'src/domain/tracking/machine-request.ts',
    from: "isbot(agent) ? 'bot' : undefined",
    to: 'isbot(agent) ? undefined : undefined',
    test: 'tests/tracking/judge-hits.test.ts',
  },
  {
    name: 'a viewer may schedule',
    file: 'src/kernel/caller.ts',
    from: "permissions.filter((one) => one.endsWith('.read'))",
    to: 'permissions.filter((one) => /read|schedule/.test(one))',
    test: 'tests/members/roles.test.ts',
  },
  {
    name: 'what a dead process had on the wire is sent again',
    file: `${sending}/leftovers.ts`,
    from: "(courses.get(id) ?? 'not_taken') === 'not_taken'",
    to: "courses.get(id) !== 'taken'",
    test: 'tests/broadcasts/sending/sending-journal.test.ts',
  },
  {
    name: 'a notice of Mailgun is believed whoever signed it',
    file: 'src/faces/public/mailgun-signature.ts',
    from: 'if (!timingSafeEqual(',
    to: 'if (timestamp === undefined && !timingSafeEqual(',
    test: 'tests/delivery/webhooks-mailgun.test.ts',
  },
];
