import { AppError } from '../core/app-error.ts';
import { isHostErrorCode, WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { StoreFault } from '../store/store-fault.ts';

/** Task kinds with their input and output, which are sent between threads by structured clone. */
export type TaskMap<Tasks> = { [Kind in keyof Tasks]: { input: unknown; output: unknown } };

export interface WorkerRequest {
  id: number;
  kind: string;
  input: unknown;
}

export interface WorkerFailure {
  message: string;
  /** Code of a system error. */
  systemCode?: string;
  /** Code of an `AppError`. */
  app?: Pick<AppError, 'code' | 'errors' | 'retryAfterSeconds'>;
  /** The worker found damage in this file; the detail is SQLite's message. */
  damage?: { path: string; detail: string };
}

/** `ready` is sent once, when the worker has loaded its code. */
export type WorkerReply = 'ready' | { id: number; output: unknown } | { id: number; failure: WorkerFailure };

export function toFailure(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  if (error instanceof StoreFault && error.reason === 'damaged') {
    return { message, damage: { path: error.path, detail: error.detail ?? message } };
  }
  if (error instanceof AppError) {
    const { code, errors, retryAfterSeconds } = error;
    return { message, app: { code, errors, retryAfterSeconds } };
  }
  return { message, systemCode: (error as NodeJS.ErrnoException).code };
}

/** Rebuilds the error of a task on the thread that requested it. */
export function toError({ message, systemCode, app, damage }: WorkerFailure): Error {
  if (damage) return new StoreFault('damaged', damage.path, { detail: damage.detail });
  if (app) {
    const { code, errors, retryAfterSeconds } = app;
    return new AppError(code, message, { errors, retryAfterSeconds: retryAfterSeconds ?? undefined });
  }
  return isHostErrorCode(systemCode) ? new WorkerUnavailableError(message) : new Error(message);
}
