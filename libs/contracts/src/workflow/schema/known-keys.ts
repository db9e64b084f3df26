import { scheduleSchema, upstreamSchema, webhookSchema } from './schedule.schema.js';
import {
  fetchSchema,
  filesSchema,
  loopSchema,
  mapSchema,
  retrySchema,
  taskResourcesSchema,
  taskSchema,
  waitFileSchema,
  waitHttpSchema,
} from './task.schema.js';
import { concurrencySchema, parameterSchema, workflowSchema } from './workflow.schema.js';

/** The keys that may stand at one place of the file, and those that a later version will understand there. */
export interface KeyLevel {
  known: readonly string[];
  later: readonly string[];
}

const nothingLater: readonly string[] = [];

const laterTaskKeys = [
  ...['alerts', 'runAs', 'connection'],
  ...['sql', 'bind', 'image', 'code', 'preset', 'command', 'datasets', 'replicas'],
  ...['register', 'service', 'model', 'instances', 'health', 'rollout'],
];

export const laterTaskKinds = ['sql', 'container', 'training', 'service'];

const levels: { path: RegExp; level: KeyLevel }[] = [
  { path: /^$/, level: { known: Object.keys(workflowSchema.shape), later: ['alerts'] } },
  { path: /^concurrency$/, level: { known: Object.keys(concurrencySchema.shape), later: nothingLater } },
  { path: /^defaults$/, level: { known: ['pool', 'timeout', 'retry', 'onLeaseLost', 'limits'], later: ['runAs', 'connection'] } },
  { path: /^parameters\.[^.]+$/, level: { known: Object.keys(parameterSchema.shape), later: nothingLater } },
  { path: /^schedules\.[^.]+$/, level: { known: Object.keys(scheduleSchema.shape), later: nothingLater } },
  { path: /^schedules\.[^.]+\.upstream(\.|\[)\d+\]?$/, level: { known: Object.keys(upstreamSchema.shape), later: nothingLater } },
  { path: /^schedules\.[^.]+\.webhook$/, level: { known: Object.keys(webhookSchema.shape), later: nothingLater } },
  { path: /^schedules\.[^.]+\.misfire$/, level: { known: ['policy', 'max'], later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+$/, level: { known: Object.keys(taskSchema.shape), later: laterTaskKeys } },
  { path: /^(tasks|finally)\.[^.]+\.map$/, level: { known: Object.keys(mapSchema.shape), later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+\.loop$/, level: { known: Object.keys(loopSchema.shape), later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+\.files$/, level: { known: Object.keys(filesSchema.shape), later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+\.files\.fetch(\.|\[)\d+\]?$/, level: { known: Object.keys(fetchSchema.shape), later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+\.http$/, level: { known: Object.keys(waitHttpSchema.shape), later: nothingLater } },
  { path: /^(tasks|finally)\.[^.]+\.file$/, level: { known: Object.keys(waitFileSchema.shape), later: nothingLater } },
  { path: /(^|\.)retry$/, level: { known: Object.keys(retrySchema.shape), later: nothingLater } },
  { path: /\.resources$/, level: { known: Object.keys(taskResourcesSchema.shape), later: ['custom'] } },
  { path: /\.resources\.gpu$/, level: { known: ['count'], later: ['model', 'fraction', 'memory'] } },
];

/** The keys of the map at a dotted path; empty where any key may stand. */
export function keyLevelAt(path: string): KeyLevel {
  return levels.find((each) => each.path.test(path))?.level ?? { known: [], later: nothingLater };
}
