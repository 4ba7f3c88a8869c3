import { type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import { AGENT_NAMES, SCOPES } from '../hooks/agents.ts';
import type { ChangeFlags, InstallFlags } from '../hooks/change-hooks.ts';
import type { StatusFlags } from '../hooks/hook-status.ts';

const load = () => import('../hooks/change-hooks.ts');
const agents = () =>
  new Option('--agent <agent...>', 'coding agents (default: all that are found)').choices(AGENT_NAMES);
const scope = () =>
  new Option('--scope <scope>', 'settings of the user, or of the project in the working folder')
    .choices(SCOPES)
    .default('user');

export const addHooks: AddCommand = (program, start) => {
  const hooks = program
    .command('hooks')
    .description(
      'Let coding agents (Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI, Cursor) report to Misstep what they do.',
    );
  hooks
    .command('install')
    .description('Add hooks to the settings of agents. Other settings are kept, and uninstall restores the file.')
    .addOption(agents())
    .addOption(scope())
    .option('--url <url>', 'the hooks send to this server instead of the local store')
    .option('--feedback', 'warn an agent that repeats itself; off by default')
    .option('--program <path>', 'program that the hooks start (default: this program)')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(async (flags: InstallFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).installHooks(context, flags)));
    });
  hooks
    .command('uninstall')
    .description('Remove the hooks.')
    .addOption(agents())
    .addOption(scope())
    .option('--dry-run', 'show what would change, and change nothing')
    .action(async (flags: ChangeFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).uninstallHooks(context, flags)));
    });
  hooks
    .command('status')
    .description('Show which agents have hooks, and whether they are complete.')
    .addOption(agents())
    .addOption(new Option('--scope <scope>', 'only of the user, or of the project').choices(SCOPES))
    .action(async (flags: StatusFlags, command: Command) => {
      const { showHookStatus } = await import('../hooks/hook-status.ts');
      await start(command, async (context) => void (await showHookStatus(context, flags)));
    });
};
