import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM } from '../support/served.ts';

export interface HostMessage {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  structured: any;
}

/** A host of MCP servers as agents have one: the official client, and `misstep mcp` as its child. */
export interface McpHost {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<HostMessage>;
  /** What the child has written to stderr. */
  complaints(): string;
  close(): Promise<void>;
}

export async function startHost(
  env: Record<string, string>,
  overrides: { era?: 'legacy' | 'auto'; flags?: string[] } = {},
): Promise<McpHost> {
  const [command, ...before] = PROGRAM;
  const transport = new StdioClientTransport({
    command,
    args: [...before, 'mcp', ...(overrides.flags ?? [])],
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(tmpdir(), 'misstep-compile-cache'), ...env },
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: overrides.era ?? 'legacy' } },
  );
  await client.connect(transport);
  return {
    client,
    async call(tool, args = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
      const [first] = content;
      return {
        isError: isError ?? false,
        text: first?.type === 'text' ? first.text : '',
        structured: structuredContent,
      };
    },
    complaints: () => complaints,
    close: () => client.close(),
  };
}
