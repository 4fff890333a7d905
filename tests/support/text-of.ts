import { textOfCopy, type Copy } from '../../src/domain/content/body/copy.ts';

/** A part of an email as its reader sees it, however it is kept. */
export const textOf = (part: string | Copy): string => (typeof part === 'string' ? part : textOfCopy(part));
