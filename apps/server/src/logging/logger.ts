import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/** Injection token of the process's pino logger. */
export const LOGGER = Symbol('logger');

/** JSON lines on stdout. Credentials that a library may attach to an error or a request are masked. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    redact: { paths: ['*.password', '*.authorization', '*.cookie', 'err.config', 'err.parameters', 'err.query'], censor: '[masked]' },
  });
}

/** Sends what Nest itself logs to pino. */
export function nestLogger(logger: Logger): LoggerService {
  const context = (parameters: unknown[]) => ({ context: parameters.at(-1) });
  return {
    log: (message, ...rest) => logger.debug(context(rest), String(message)),
    error: (message, ...rest) => logger.error(context(rest), String(message)),
    warn: (message, ...rest) => logger.warn(context(rest), String(message)),
    debug: (message, ...rest) => logger.debug(context(rest), String(message)),
    verbose: (message, ...rest) => logger.trace(context(rest), String(message)),
  };
}
