import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on stdout, written without blocking: a reader that stalls must not stop the heartbeat. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 1, sync: false }));
}
