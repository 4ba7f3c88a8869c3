/** No worker thread can run: the machine lacks memory, threads or file descriptors. Says nothing about the task; try it again later. */
export class WorkerUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerUnavailableError';
  }
}

const HOST_ERROR_CODES = new Set(['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether the machine, and not the task, is the cause. */
export function isHostErrorCode(code: string | undefined): boolean {
  return code !== undefined && HOST_ERROR_CODES.has(code);
}
