import { type Command, InvalidArgumentError } from 'commander';
import type { AddCommand } from '../add-command.ts';

const load = () => import('../settings/judge.ts');

export const addJudge: AddCommand = (program, start) => {
  const judge = program
    .command('judge')
    .description('Look at and switch whether a model is asked for a second opinion.');
  judge
    .command('show')
    .description('Show whether a model is asked, which one, and what that has used today.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showJudge(context)));
    });
  judge
    .command('on')
    .description('Have the model of the server asked about findings that the rules are not sure of.')
    .option('--daily-calls <count>', 'questions a day at most, or default for as many as the server allows', toCalls)
    .action(async ({ dailyCalls }: { dailyCalls?: number | 'default' }, command: Command) => {
      const change = { enabled: true, dailyCalls };
      await start(command, async (context) => void (await (await load()).changeJudge(context, change)));
    });
  judge
    .command('off')
    .description('Ask nobody; the rules stand alone from the next trace on.')
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
