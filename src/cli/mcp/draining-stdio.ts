import { Transform } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Io } from '../io.ts';

type Message = Parameters<StdioServerTransport['send']>[0];
type Id = string | number;

/** This request gets no response; it stays open as long as the connection. */
const SUBSCRIPTION = 'subscriptions/listen';

export interface DrainingStdio {
  transport: StdioServerTransport;
  /** Resolves when stdin has ended and all requests are answered, when stdout is closed, or when a message is too long. */
  ended: Promise<void>;
  /** Releases stdin, so that it does not keep the process alive. */
  release(): void;
}

/**
 * MCP on stdin and stdout. The library drops unanswered requests when stdin ends; a script that pipes its
 * requests in and reads the responses would lose them, so the end is delayed until they are sent.
 */
export function drainingStdio({ stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>): DrainingStdio {
  const open = new PendingRequests();
  const input = new Transform({
    transform: (chunk, _encoding, pass) => pass(null, chunk),
    // The transport first receives the data that was just written.
    flush: (end) => void setImmediate(() => open.whenIdle(() => end())),
  });
  for (const event of ['error', 'close']) stdin.once(event, () => input.end());
  stdin.pipe(input);
  const transport = new CountedTransport(open, input, stdout as NodeJS.WriteStream);
  return { transport, ended: transport.closed, release: () => void stdin.unpipe(input).pause() };
}

class PendingRequests {
  readonly #ids = new Set<Id>();
  #whenIdle: (() => void) | null = null;

  addRequest(message: Message): void {
    if ('method' in message && 'id' in message && message.method !== SUBSCRIPTION) this.#ids.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#settled(message.params?.requestId as Id | undefined);
  }

  answered(message: Message): void {
    if (!('method' in message)) this.#settled(message.id);
  }

  whenIdle(done: () => void): void {
    this.#whenIdle = done;
    this.#settled(undefined);
  }

  #settled(id: Id | undefined): void {
    if (id !== undefined) this.#ids.delete(id);
    if (this.#ids.size > 0) return;
    this.#whenIdle?.();
    this.#whenIdle = null;
  }
}

class CountedTransport extends StdioServerTransport {
  readonly #open: PendingRequests;
  readonly #closed = Promise.withResolvers<void>();

  constructor(open: PendingRequests, ...streams: ConstructorParameters<typeof StdioServerTransport>) {
    super(...streams);
    this.#open = open;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.#open.addRequest(message);
      deliver?.(message);
    };
    return super.start();
  }

  override async send(message: Message): Promise<void> {
    try {
      await super.send(message);
    } finally {
      this.#open.answered(message);
    }
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}
