/** Time stands still, so that who was made exactly seven days ago is so at every read. */
export const now = new Date('2026-03-14T15:09:26.535Z');

const many = '1000000000';
export const plenty = {
  env: { RATE_READ_PER_MINUTE: many, RATE_WRITE_PER_MINUTE: many, RATE_HEAVY_PER_MINUTE: many },
};

/** What an evaluator written apart shows. */
export const rulesOfConditions =
  'SEG-007 SEG-014 SEG-015 SEG-017 SEG-021 SEG-024 SEG-028 SEG-043 SEG-044 SEG-045 SEG-046 SEG-057 SEG-058';
