import { EXIT } from './exit-code.ts';

export interface Signals {
  /** Aborted when the user or the system asks the program to end. */
  signal: AbortSignal;
  /** Resolves to the exit code of the signal after the time in which a command can close its resources. */
  received: Promise<number>;
  ignore(): void;
}

/** Time in which a command can close its resources; a second signal ends the program immediately. */
const GRACE_MS = 10_000;

export function listenForSignals(): Signals {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = (exitCode: number) => () => {
    if (controller.signal.aborted) resolve(exitCode);
    controller.abort(exitCode);
    setTimeout(resolve, GRACE_MS, exitCode).unref();
  };
  const onInterrupt = end(EXIT.interrupted);
  const onTerminate = end(EXIT.terminated);
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    received: promise,
    ignore: () => void process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate),
  };
}

/** For tests: no signal arrives. */
export function noSignals(): Signals {
  return { signal: new AbortController().signal, received: new Promise(() => {}), ignore: () => {} };
}
