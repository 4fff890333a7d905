# One stage installs what ships, one bundles the service and builds the dashboard, the last carries both. The source goes
# along: the bundle reads migrations, workers and files of pages from it.
FROM node:24-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
# Nothing that ships needs an install script. Restate runs in a container of its own, so its binary stays out.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@restatedev/restate-server*

FROM dependencies AS built
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY src ./src
COPY scripts ./scripts
RUN npm run bundle
COPY web ./web
RUN npm run web

FROM node:24-trixie-slim
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV HANDLERS_HOST=0.0.0.0
# As in bin/rostrum: what the C library keeps for later is bounded.
ENV MALLOC_ARENA_MAX=2
ENV MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY src ./src
COPY --from=built /app/dist ./dist
COPY --from=built /app/web/dist ./web/dist
# Everything above belongs to root and cannot be changed by what runs, which may write into one folder.
ENV JOURNAL_DIR=/journal
RUN install -d -o node -g node /journal
USER node
EXPOSE 8700
# For `serve api`, the default. The other parts answer the operator on other ports: see compose.yaml.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATOR_PORT || 8701}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/rostrum.js"]
CMD ["serve", "api"]
