import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Injection token of the process's registry; whoever counts something registers it there. */
export const METRICS = Symbol('metrics');

const DAY_MS = 86_400_000;
/** Come from a sampler that wakes the process a hundred times a second, which is most of what an idle server does. */
const sampledLags = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map((name) => `nodejs_eventloop_lag_${name}_seconds`);

/** The usual metrics of a Node process, with the utilization of its event loop in place of sampled delays. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS });
  for (const name of sampledLags) registry.removeSingleMetric(name);
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
  return registry;
}

/** Seconds per request by route pattern, so that ids do not make series. */
export function measureRequests(fastify: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'medley_http_request_seconds',
    help: 'Seconds from the request line to the last byte of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
}
