import type { FastifyRequest } from 'fastify';
import { defaultRoute } from '../../domain/delivery/ledger/route.ts';
import { notConfigured, routeReader, type RouteReading } from './route-reader.ts';

/** What makes the reports of an account believable. */
export interface ReportSettings {
  /** The topics SES publishes to. */
  readonly sesTopicArns: readonly string[];
  readonly mailgunSigningKey: string | undefined;
}

export type ReportingRoute = ReportSettings & { readonly route: string };

export type FindReportingRoute = (
  request: Pick<FastifyRequest, 'query'>,
  needs: keyof ReportSettings,
) => Promise<ReportingRoute>;

/** Finds the route that the address of a request names, as `?route=`, with its settings. */
export function reportingRoute(reading: RouteReading, byDefault: ReportSettings): FindReportingRoute {
  const read = routeReader(reading, 'email_webhooks_at_once');
  return async ({ query }, needs) => {
    const { route = defaultRoute } = query as { route?: string };
    if (route === defaultRoute) {
      if ((byDefault[needs]?.length ?? 0) === 0) throw notConfigured();
      return { ...byDefault, route };
    }
    // A route that is not there has no settings: callers cannot probe for names.
    const settings = await read('smtp', String(route));
    return {
      route: String(route),
      sesTopicArns: settings?.['SES_TOPIC_ARNS']?.split(',').map((arn) => arn.trim()) ?? [],
      mailgunSigningKey: settings?.['MAILGUN_SIGNING_KEY'],
    };
  };
}
