import type { TaskOptions } from 'node-cron';

type CronLogger = NonNullable<TaskOptions['logger']>;

/** A log that takes an object of fields and a message, as pino does. */
export interface FieldLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Forwards node-cron's messages to the log; by default it prints colored lines. */
export function cronLogger(log: FieldLog): CronLogger {
  const text = (message: string | Error) => (message instanceof Error ? message.message : message);
  return {
    info: (message) => log.debug({}, message),
    debug: (message) => log.debug({}, text(message)),
    warn: (message) => log.warn({}, message),
    error: (message, err) => log.error({ err: message instanceof Error ? message : err }, text(message)),
  };
}
