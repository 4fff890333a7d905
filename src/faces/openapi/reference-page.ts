import scalar from '@scalar/fastify-api-reference';
import Fastify, { type FastifyInstance } from 'fastify';

/** The reference page and its script, as a server that listens nowhere: it is asked by `inject`. */
export async function referencePage(): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/v1/openapi.json',
      pageTitle: 'Rostrum API',
      telemetry: false,
      withDefaultFonts: false,
      // Their buttons lead to services of theirs.
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
      authentication: { securitySchemes: { authType: { value: 'api' } } },
      customCss: 'a[href*="scalar.com"]{display:none}',
    },
  } as Parameters<typeof scalar>[1]);
  return app;
}
