import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addMcp: AddCommand = (program, start) => {
  program
    .command('mcp')
    .description('Run a read-only MCP server on stdin and stdout.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => (await import('../mcp/serve-mcp.ts')).serveMcp(context));
    });
};
