import { operations } from '../../src/catalogue/operations.ts';
import { sendBadInput } from './bad-input.ts';

// Half of the catalogue: all of it would be the longest file there is.
sendBadInput(
  operations.filter((_, index) => index % 2 === 0),
  { messages: true },
);
