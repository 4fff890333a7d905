import { atTrigger, type Graph } from '../graph/graph.ts';

/** What the service says of a step: why it cannot be published, or why it was not saved. */
export interface Told {
  readonly step: string;
  /** Where in the step; empty for the whole of it. */
  readonly field: string;
  readonly message: string;
}

interface Pointed {
  readonly pointer: string;
  readonly message: string;
}

/** Pointers lead into the graph that was sent; by the time of the answer it may be another. */
export const tellSteps = ({ nodes }: Graph, pointed: readonly Pointed[]): readonly Told[] =>
  pointed.map(({ pointer, message }) => {
    const [, , part, ...rest] = pointer.split('/');
    if (part !== 'nodes') return { step: atTrigger, field: rest.join('/'), message };
    const [at, ...field] = rest;
    return { step: nodes[Number(at)]?.id ?? atTrigger, field: field.join('/'), message };
  });

/** What is told of one field of a step, or of anything inside it. */
export const toldAt = (told: readonly Told[], step: string, field: string): string | undefined =>
  told.find((one) => one.step === step && (one.field === field || one.field.startsWith(`${field}/`)))
    ?.message;
