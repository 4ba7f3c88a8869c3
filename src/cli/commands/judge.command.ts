import { type Command, InvalidArgumentError } from 'commander';
import type { AddCommand } from '../add-command.ts';

const load = () => import('../settings/judge.ts');

export const addJudge: AddCommand = (program, start) => {
  const judge = program.command('judge').description('Show and configure the model that reviews uncertain detections.');
  judge
    .command('show')
    .description('Show whether a model is used, which one, and its usage today.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showJudge(context)));
    });
  judge
    .command('on')
    .description("Let the server's model review uncertain detections.")
    .option('--daily-calls <count>', 'maximum questions per day, or default for the limit of the server', toCalls)
    .action(async ({ dailyCalls }: { dailyCalls?: number | 'default' }, command: Command) => {
      const change = { enabled: true, dailyCalls };
      await start(command, async (context) => void (await (await load()).changeJudge(context, change)));
    });
  judge
    .command('off')
    .description('Use the rules only, starting with the next trace.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).changeJudge(context, { enabled: false })));
    });
};

function toCalls(text: string): number | 'default' {
  if (text === 'default') return text;
  const calls = Number(text);
  if (text.trim() !== '' && Number.isInteger(calls) && calls >= 0) return calls;
  throw new InvalidArgumentError('Give a whole number, or default.');
}
