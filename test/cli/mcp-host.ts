import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM } from '../support/served.ts';

export interface HostMessage {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape that it expects
  structured: any;
}

/** An MCP host like that of an agent: the official client with `misstep mcp` as a child process. */
export interface McpHost {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<HostMessage>;
  /** The output of the child process on stderr. */
  stderr(): string;
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
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
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
    stderr: () => stderr,
    close: () => client.close(),
  };
}
