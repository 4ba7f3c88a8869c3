import type { Logger } from 'pino';
import { EXIT } from '../exit-code.ts';

/**
 * Logs what Node would print by itself: warnings, and uncaught errors, which end the process with
 * one line and exit code 3.
 * @returns restores Node's own handling
 */
export function logProcessEvents(logger: Logger): () => void {
  const printers = process.listeners('warning');
  const onWarning = (warning: Error & { code?: string }) =>
    logger.warn({ name: warning.name, code: warning.code, detail: warning.message }, 'runtime warning');
  const onFatal = (err: unknown, origin: string) => {
    logger.fatal({ err, origin }, 'fatal error: the server ends');
    process.exit(EXIT.failure);
  };
  process.removeAllListeners('warning');
  process.on('warning', onWarning).on('uncaughtException', onFatal);
  return () => {
    process.off('warning', onWarning).off('uncaughtException', onFatal);
    for (const printer of printers) process.on('warning', printer);
  };
}
