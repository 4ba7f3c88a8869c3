import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../context.ts';
import { createContext } from '../create-context.ts';
import { errorLines } from '../error-lines.ts';
import { EXIT } from '../exit-code.ts';
import { openSessionSource } from '../sessions/open-source.ts';
import { drainingStdio } from './draining-stdio.ts';
import { createMcpServer, type McpDependencies } from './mcp-server.ts';

/** Serves MCP on stdin and stdout until stdin ends or a signal arrives. */
export async function serveMcp(context: CommandContext): Promise<number> {
  const { io, signal, print } = context;
  if (io.stdin.isTTY)
    print.note('misstep mcp speaks the Model Context Protocol with the program that starts it; Ctrl-D ends it.');
  const { transport, ended, release } = drainingStdio(io);
  const questions = serialized(context);
  const dependencies: McpDependencies = {
    withBackend: questions.ask,
    onFailure(tool, error) {
      if (error instanceof AppError && error.code !== 'internal') return;
      for (const line of errorLines(error, Boolean(io.env.MISSTEP_DEBUG))) print.warn(`${line} (${tool})`);
    },
  };
  const handle = serveStdio(() => createMcpServer(dependencies), {
    transport,
    onerror: (error) => print.note(`misstep: mcp: ${error.message}`),
  });
  await Promise.race([ended, aborted(signal)]);
  release();
  await handle.close();
  await questions.settled();
  return typeof signal.reason === 'number' ? signal.reason : EXIT.clean;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * One request at a time, each with its own store: new hook records are drained and analyzed, and no
 * database stays open between requests.
 */
function serialized({ options, io, signal }: CommandContext) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: ((work) => {
      const answered = last.then(async () => {
        const { context, close } = createContext(options, io, signal);
        try {
          return await work(await context.backend(), () => openSessionSource(context, []));
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
