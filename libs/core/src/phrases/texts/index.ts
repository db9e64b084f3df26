import { approvalTexts } from './approvals.js';
import { cronTexts } from './cron.js';
import { endingTexts } from './endings.js';
import { expressionTexts } from './expressions.js';
import { fileTexts } from './files.js';
import { labelTexts } from './labels.js';
import { parameterTexts } from './parameters.js';
import { placementTexts } from './placement.js';
import { refusalTexts } from './refusals.js';
import { requestTexts } from './requests.js';
import { scheduleTexts } from './schedules.js';
import { subWorkflowTexts } from './sub-workflows.js';
import { taskTexts } from './tasks.js';
import { upstreamTexts } from './upstream.js';
import { valueTexts } from './values.js';
import { waitTexts } from './waits.js';
import { webhookTexts } from './webhooks.js';
import { workflowTexts } from './workflow.js';
import { yamlTexts } from './yaml.js';

/** Every phrase in every language. Codes are part of the API: one that was published keeps its meaning. */
export const phraseTexts = {
  ...valueTexts,
  ...workflowTexts,
  ...yamlTexts,
  ...taskTexts,
  ...approvalTexts,
  ...waitTexts,
  ...fileTexts,
  ...subWorkflowTexts,
  ...parameterTexts,
  ...expressionTexts,
  ...cronTexts,
  ...scheduleTexts,
  ...upstreamTexts,
  ...webhookTexts,
  ...labelTexts,
  ...placementTexts,
  ...requestTexts,
  ...refusalTexts,
  ...endingTexts,
} as const;

export type PhraseTexts = typeof phraseTexts;
export type PhraseCode = keyof PhraseTexts;
