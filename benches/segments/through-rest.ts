import { RestClient } from '../support/rest-client.ts';
import type { Case } from './cases.ts';

/** What is asked of segments. */
export class ThroughRest extends RestClient {
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
}
