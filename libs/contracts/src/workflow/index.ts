export * from '../resources/index.js';
export { maxTasks } from './checks/check-limits.js';
export { defaultPool, kindOf, normaliseNeeds, normaliseWorkflow } from './normalise-workflow.js';
export * from './parse-workflow.js';
export * from './publish-workflow.js';
export { maxWorkflowBytes } from './read-yaml.js';
export { type NeedsDefinition, type TaskDefinition, type TaskKind, taskKinds, taskSchema } from './schema/task.schema.js';
export { maxMadeUpFires, type ScheduleDefinition, type WorkflowDefinition, workflowSchema } from './schema/workflow.schema.js';
export * from './spec.js';
