import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks open connections and responses, so that at shutdown each response announces that the connection closes. */
export class OpenResponses {
  readonly #open = new Set<ServerResponse>();
  readonly #sockets = new Set<Socket>();
  #isDraining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener('request', (_request, response: ServerResponse) => {
      if (this.#isDraining) response.shouldKeepAlive = false;
      this.#open.add(response);
      response.once('close', () => this.#open.delete(response));
    });
  }

  /** From now on every response carries `Connection: close`. */
  drain(): void {
    this.#isDraining = true;
    for (const response of this.#open) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Node counts a connection that never sent a byte as busy, and would wait for it. */
  destroyUnused(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
