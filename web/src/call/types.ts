import type { z } from 'zod';
import type { operations } from '../../../src/catalogue/operations.ts';

type Operation = (typeof operations)[number];

export type OperationName = Operation['name'];
type Named<Name extends OperationName> = Extract<Operation, { name: Name }>;

export type Input<Name extends OperationName> = z.input<Named<Name>['input']>;
export type Output<Name extends OperationName> = z.output<Named<Name>['output']>;
