import type { Work } from '../../../database/work.ts';
import type { Question } from '../shape/node-run.ts';
import { runOf } from '../nodes/index.ts';
import type { Ask } from './walk.ts';

/** Answers a node's question from the rows, at the moment a run arrives. */
export const askRows =
  (work: Work, question: Question): Ask =>
  (node, people) =>
    runOf(node).ask(work, node, question, people);
