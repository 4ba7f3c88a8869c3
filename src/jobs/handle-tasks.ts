import { parentPort } from 'node:worker_threads';
import { type TaskMap, toFailure, type WorkerReply, type WorkerRequest } from './worker-messages.ts';

export interface TaskContext {
  /** Moves the buffer to the other thread with the output instead of copying it. */
  transfer(buffer: ArrayBuffer): void;
}

export type TaskHandlers<Tasks extends TaskMap<Tasks>> = {
  [Kind in keyof Tasks]: (
    input: Tasks[Kind]['input'],
    context: TaskContext,
  ) => Tasks[Kind]['output'] | Promise<Tasks[Kind]['output']>;
};

/** The worker side of a `WorkerPool`: call it once, when everything is loaded. */
export function handleTasks<Tasks extends TaskMap<Tasks>>(handlers: TaskHandlers<Tasks>): void {
  const port = parentPort;
  if (port === null) throw new Error('handleTasks runs only in a worker thread');
  const send = (reply: WorkerReply, moved: ArrayBuffer[] = []) => port.postMessage(reply, moved);
  port.on('message', async ({ id, kind, input }: WorkerRequest) => {
    const moved: ArrayBuffer[] = [];
    try {
      const output = await handlers[kind as keyof Tasks](input, { transfer: (buffer) => void moved.push(buffer) });
      send({ id, output }, moved);
    } catch (error) {
      send({ id, failure: toFailure(error) });
    }
  });
  send('ready');
}
