/** No worker thread can start: the machine lacks memory, threads or file descriptors. Not caused by the task; retry it later. */
export class WorkerUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerUnavailableError';
  }
}

const HOST_ERROR_CODES = new Set(['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether the cause is the machine and not the task. */
export function isHostErrorCode(code: string | undefined): boolean {
  return code !== undefined && HOST_ERROR_CODES.has(code);
}
