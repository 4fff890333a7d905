/** Node keeps the first of several Authorization headers and drops the rest; a proxy may have judged another one. */
export const hasOneCredential = ({ rawHeaders }: { readonly rawHeaders: readonly string[] }): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization').length <= 1;
