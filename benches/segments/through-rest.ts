import type { Case } from './cases.ts';

/** The service as a client sees it. */
export class ThroughRest {
  readonly #url: string;
  readonly #secret: string;

  constructor(url: string, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  async createSegment(one: Case): Promise<string> {
    const { segment } = (await this.call('POST', '/v1/segments', {
      name: one.name,
      filters: one.filters,
    })) as { segment: { id: string } };
    return segment.id;
  }

  firstPage(segment: string): Promise<unknown> {
    return this.call('GET', `/v1/segments/${segment}/members`);
  }

  preview(one: Case): Promise<unknown> {
    return this.call('POST', '/v1/segments/preview', { filters: one.filters });
  }

  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: this.#secret,
        'auth-type': 'api',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}
