/** They would not run, but a browser reports each against the policy of the page. */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, (tag) => tag.replaceAll(/[\s/]on[a-z]+\s*=/gi, ' data-gone='));
