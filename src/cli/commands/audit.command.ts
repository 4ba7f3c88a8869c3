import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { AuditFlags } from '../browse/audit.ts';
import { addPageFlags } from '../browse/page-flags.ts';

export const addAudit: AddCommand = (program, start) => {
  addPageFlags(program.command('audit').description('List changes with their authors, newest first.'))
    .option('--action <operation>', 'only these actions, such as healing or healing.execute')
    .option('--actor <id>', 'only changes by this API key, operator or job')
    .option('--object <id>', 'only changes of this object')
    .option('--from <date>', 'at or after, RFC 3339')
    .option('--to <date>', 'before, RFC 3339')
    .option('--instance', 'changes without a tenant or of a deleted tenant; requires the operator credential')
    .action(async (flags: AuditFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/audit.ts')).listAudit(context, flags)),
      );
    });
};
