import { readOperatorToken } from '../app/operator-token.ts';
import { readServerFile } from '../store/data-folder/server-file.ts';
import { verifyServer } from './verify-server.ts';

/** An operator token and the address that it may be sent to. */
export interface OperatorCredential {
  token: string;
  server: string;
}

/**
 * The operator token of a data folder, only for the server that uses this folder: `server.json` in the folder must
 * name the server, and the server must prove that it has the token. Null otherwise.
 * @param server base address without a trailing slash
 */
export async function folderCredential(dataFolder: string, server: string): Promise<OperatorCredential | null> {
  const token = readOperatorToken(dataFolder);
  const url = readServerFile(dataFolder)?.url ?? null;
  if (token === null || url === null || !isSameServer(server, url)) return null;
  const proven = await verifyServer(server, token);
  return proven === null ? null : { token, server: proven };
}

/** The same protocol, host and port; loopback names and a listener on every address count as the same host. */
export function isSameServer(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (a === null || b === null || a.protocol !== 'http:' || b.protocol !== 'http:') return false;
  if (a.pathname !== '/' || a.search !== '' || a.username !== '' || a.password !== '') return false;
  return a.port === b.port && (a.hostname === b.hostname || (isThisMachine(a.hostname) && isThisMachine(b.hostname)));
}

const THIS_MACHINE = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}
