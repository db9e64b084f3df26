export * from './calendar-date.js';
export * from './choose-fires.js';
export * from './cron.js';
export { type CronFault, type CronFieldName, cronFaultPhrase, cronFieldPhrases } from './cron-fields.js';
export * from './plan-fires.js';
export * from './schedule-rule.js';
export * from './zone.js';
