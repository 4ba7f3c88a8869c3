import type { MessagePort } from 'node:worker_threads';

/** To the receiver: a chunk, or null at the end. To the sender: the number of bytes read, or `stop`. */
type ToReceiver = Uint8Array | null;
type ToSender = number | 'stop';

/** Maximum unread bytes between two threads: smaller responses never make a worker wait for a client. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** Sends chunks to another thread with back-pressure. @returns false if the receiver stopped */
export async function sendChunks(port: MessagePort, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<boolean> {
  const limit = new UnreadLimit(port);
  try {
    for await (const piece of pieces) {
      if (limit.isStopped) return false;
      limit.unread += piece.byteLength;
      port.postMessage(piece, [piece.buffer]);
      if (!(await limit.waitForCapacity())) return false;
    }
    port.postMessage(null);
    return true;
  } finally {
    port.close();
  }
}

class UnreadLimit {
  unread = 0;
  isStopped = false;
  #wake: (() => void) | null = null;

  constructor(port: MessagePort) {
    port.on('message', (message: ToSender) => {
      if (message === 'stop') this.isStopped = true;
      else this.unread -= message;
      this.#wake?.();
    });
    port.on('close', () => {
      this.isStopped = true;
      this.#wake?.();
    });
  }

  async waitForCapacity(): Promise<boolean> {
    // Yields to incoming messages when many chunks are produced without a pause.
    await new Promise((resume) => setImmediate(resume));
    while (this.unread > MAX_UNREAD_BYTES && !this.isStopped) {
      await new Promise<void>((resume) => {
        this.#wake = resume;
      });
    }
    return !this.isStopped;
  }
}

export interface ReceiveOptions {
  /** Whether everything was sent; rejects if the sender failed. */
  done: Promise<boolean>;
  signal?: AbortSignal;
  /** A receiver that reads nothing for this long is dropped. */
  idleMs: number;
}

/** Chunks from the other thread. Ending the iteration stops the sender. */
export async function* receiveChunks(
  port: MessagePort,
  { done, signal, idleMs }: ReceiveOptions,
): AsyncGenerator<Uint8Array> {
  const inbox = new Inbox(port, idleMs);
  done.then(
    (isWhole) => isWhole || inbox.fail(new Error('the work was stopped')),
    (error: unknown) => inbox.fail(error),
  );
  const onAbort = () => inbox.fail(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const piece = await inbox.next();
      if (piece === null) return;
      yield piece;
      port.postMessage(piece.byteLength satisfies ToSender);
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    port.postMessage('stop' satisfies ToSender);
    inbox.close();
    port.close();
  }
}

class Inbox {
  readonly #pieces: ToReceiver[] = [];
  readonly #idleMs: number;
  #failure: { error: unknown } | null = null;
  #wake: (() => void) | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(port: MessagePort, idleMs: number) {
    this.#idleMs = idleMs;
    port.on('message', (piece: ToReceiver) => {
      this.#pieces.push(piece);
      this.#wake?.();
      this.#idle ??= this.#watch(port);
    });
  }

  async next(): Promise<ToReceiver> {
    for (;;) {
      this.#rest();
      const piece = this.#pieces.shift();
      if (piece !== undefined) return piece;
      if (this.#failure) throw this.#failure.error;
      await new Promise<void>((resume) => {
        this.#wake = resume;
      });
    }
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  close(): void {
    this.#rest();
    this.#pieces.length = 0;
  }

  #rest(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
  }

  /** A receiver that disappeared must not block a worker. */
  #watch(port: MessagePort): NodeJS.Timeout {
    return setTimeout(() => {
      this.fail(new Error(`nothing was read for ${this.#idleMs} ms`));
      this.#pieces.length = 0;
      port.postMessage('stop' satisfies ToSender);
    }, this.#idleMs).unref();
  }
}
