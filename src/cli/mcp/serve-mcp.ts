import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../context.ts';
import { createContext } from '../create-context.ts';
import { errorLines } from '../error-lines.ts';
import { EXIT } from '../exit-code.ts';
import { createMcpServer, type McpDependencies } from './mcp-server.ts';

/** Speaks MCP on stdin and stdout until stdin ends or a signal comes. */
export async function serveMcp(context: CommandContext): Promise<number> {
  const { io, signal, print } = context;
  const ended = endOf(context);
  const questions = inTurn(context);
  const dependencies: McpDependencies = {
    withBackend: questions.ask,
    onFailure(tool, error) {
      if (error instanceof AppError && error.code !== 'internal') return;
      for (const line of errorLines(error, Boolean(io.env.MISSTEP_DEBUG))) print.warn(`${line} (${tool})`);
    },
  };
  const handle = serveStdio(() => createMcpServer(dependencies), {
    transport: new StdioServerTransport(io.stdin as Readable, io.stdout as Writable),
    onerror: (error) => print.note(`misstep: mcp: ${error.message}`),
  });
  await ended;
  await handle.close();
  await questions.settled();
  return typeof signal.reason === 'number' ? signal.reason : EXIT.clean;
}

/** Resolves when the host has closed stdin, no longer reads stdout, or a signal came. */
async function endOf({ io, signal }: CommandContext): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  for (const event of ['end', 'close', 'error']) io.stdin.once(event, done);
  for (const event of ['close', 'error']) io.stdout.once(event, done);
  if (signal.aborted) done();
  else once(signal, 'abort').then(done, done);
  return promise;
}

/**
 * One question at a time, each with a store of its own: what hooks have left meanwhile is taken in and judged, and no
 * database stays open while the host thinks.
 */
function inTurn({ options, io, signal }: CommandContext) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: ((work) => {
      const answered = last.then(async () => {
        const { context, close } = createContext(options, io, signal);
        try {
          return await work(await context.backend());
        } finally {
          await close();
        }
      });
      last = answered.catch(() => {});
      return answered;
    }) satisfies McpDependencies['withBackend'],
    settled: () => last,
  };
}
