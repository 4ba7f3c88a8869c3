import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import { toDays } from '../browse/day-flag.ts';

const load = () => import('../browse/agents.ts');

export const addAgents: AddCommand = (program, start) => {
  const agents = program.command('agents').description('Show the agents seen in traces.');
  agents
    .command('list')
    .description('List agents with their figures.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).listAgents(context)));
    });
  agents
    .command('show')
    .description('Show the newest runs of an agent and the detections that it caused.')
    .argument('<agent>')
    .option('--days <number>', 'days of detections', toDays, 30)
    .action(async (agentId: string, { days }: { days: number }, command: Command) => {
      await start(command, async (context) => void (await (await load()).showAgent(context, agentId, days)));
    });
};
