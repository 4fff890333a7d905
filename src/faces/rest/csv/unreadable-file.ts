import { invalidRequest, type Failure } from '../../../kernel/failure.ts';

/** What is wrong with a file and where. It never repeats what stands there, for cells are people's data. */
export const unreadable = (line: number, code: string, detail: string): Failure =>
  invalidRequest([{ pointer: '', code, detail: `Line ${line}: ${detail}` }]);
