import { invalidRequest, type Failure } from '../../../kernel/failure.ts';

/** What is wrong with a file and where. Never quotes the file, because cells are personal data. */
export const unreadable = (line: number, code: string, detail: string): Failure =>
  invalidRequest([{ pointer: '', code, detail: `Line ${line}: ${detail}` }]);
