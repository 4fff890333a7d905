import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServer,
} from '@modelcontextprotocol/server';

export interface Answering {
  answer(request: Request, options: { authInfo: AuthInfo; parsedBody: unknown }): Promise<Response>;
  close(): Promise<void>;
}

/** Answers messages in every revision of the protocol, each by a server of its own. */
export function answerMessages(serverFor: (auth: AuthInfo) => McpServer): Answering {
  const modern = createMcpHandler(({ authInfo }) => serverFor(authInfo!), { legacy: 'reject' });
  return {
    answer: async (request, options) => {
      if (!(await isLegacyRequest(request, options.parsedBody))) return modern.fetch(request, options);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await serverFor(options.authInfo).connect(transport);
      return transport.handleRequest(request, options);
    },
    close: () => modern.close(),
  };
}
