# One image per process: docker build --target server -t medley-server .   and   --target agent -t medley-agent .
# BASE_IMAGE needs Node 20 with npm, and apt for the agent's Python.
ARG BASE_IMAGE=node:20-bookworm-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /srv/medley
ENV CI=true
# The manifests first: packages are installed again only when one of them changed.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/agent/package.json apps/agent/
COPY apps/console/package.json apps/console/
COPY apps/server/package.json apps/server/
COPY libs/contracts/package.json libs/contracts/
COPY libs/core/package.json libs/core/
COPY libs/database/package.json libs/database/
COPY libs/testing/package.json libs/testing/
COPY migrations/package.json migrations/
COPY bench/package.json bench/
COPY e2e/package.json e2e/
COPY scripts scripts
RUN node scripts/install.mjs
COPY . .
RUN node scripts/build.mjs
RUN npx --yes pnpm@12.21.0 --filter @medley/server deploy --prod --legacy /srv/server \
 && npx --yes pnpm@12.21.0 --filter @medley/agent deploy --prod --legacy /srv/agent

FROM ${BASE_IMAGE} AS server
WORKDIR /srv/server
COPY --from=build /srv/server ./
COPY --from=build /srv/medley/apps/console/dist /srv/console
COPY --from=build /srv/medley/apps/agent/dist/bundle/medley-agent.mjs /srv/medley-agent.mjs
RUN install --directory --owner=1000 --group=1000 --mode=0700 /var/lib/medley-server
ENV NODE_ENV=production MEDLEY_DATA_DIR=/var/lib/medley-server MEDLEY_HOST=0.0.0.0 MEDLEY_PORT=8080 MEDLEY_CONSOLE_DIR=/srv/console MEDLEY_AGENT_BUNDLE=/srv/medley-agent.mjs
USER 1000:1000
VOLUME /var/lib/medley-server
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.MEDLEY_PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]

FROM ${BASE_IMAGE} AS agent
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/agent
COPY --from=build /srv/agent ./
RUN install --directory --owner=1000 --group=1000 --mode=0700 /var/lib/medley-agent
ENV NODE_ENV=production MEDLEY_AGENT_HOME=/var/lib/medley-agent
USER 1000:1000
VOLUME /var/lib/medley-agent
# The agent's pid file names the process that keeps the home; signal 0 asks whether it lives.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const text = require('fs').readFileSync(process.env.MEDLEY_AGENT_HOME + '/agent.pid', 'utf8'); process.kill(Number(/\\d+/.exec(text)[0]), 0)"]
CMD ["node", "--enable-source-maps", "dist/main.js"]
