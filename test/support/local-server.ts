import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a server of a test stands. */
export interface LocalServer {
  /** Without a slash at its end. */
  url: string;
  port: number;
  /** Breaks off what is open. */
  close(): Promise<void>;
}

/** Listens on the loopback address, on a free port where none is named. */
export async function listenLocally(server: Server, wanted = 0): Promise<LocalServer> {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
