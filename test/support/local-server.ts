import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address of a test server. */
export interface LocalServer {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Closes all open connections. */
  close(): Promise<void>;
}

/** Listens on the loopback address, on a free port by default. */
export async function listenLocally(server: Server, fixedPort = 0): Promise<LocalServer> {
  server.listen(fixedPort, '127.0.0.1');
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
