import type { Server, ServerResponse } from 'node:http';

/** Knows the answers under way, so that at shutdown each of them tells its client that the connection closes. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>();
  #isDraining = false;

  constructor(server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      if (this.#isDraining) response.shouldKeepAlive = false;
      this.#open.add(response);
      response.once('close', () => this.#open.delete(response));
    });
  }

  /** From now on every answer carries `Connection: close`. */
  drain(): void {
    this.#isDraining = true;
    for (const response of this.#open) if (!response.headersSent) response.shouldKeepAlive = false;
  }
}
