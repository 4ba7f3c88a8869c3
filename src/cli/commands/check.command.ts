import { type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { CheckFlags, CheckKind } from '../check/check-text.ts';

const KINDS: readonly { kind: CheckKind; description: string; needsModel: boolean }[] = [
  { kind: 'injection', description: 'Does it try to give the model orders? Exit code 1 if so.', needsModel: false },
  { kind: 'overflow', description: "How much of a model's context window does it take?", needsModel: true },
  { kind: 'cost', description: "What does it cost as a model's input?", needsModel: true },
];

export const addCheck: AddCommand = (program, start) => {
  const check = program.command('check').description('Check one text.');
  check
    .command('hallucination')
    .description('Check a text against its sources. Exit code 1 if they do not support it.')
    .argument('[file]', 'the output; - for standard input', '-')
    .requiredOption('--source <files...>', 'what it should rest on')
    .action(async (file: string, flags: CheckFlags, called: Command) => {
      await start(called, async (context) =>
        (await import('../check/check-grounding.ts')).checkGrounding(context, file, flags.source ?? []),
      );
    });
  for (const { kind, description, needsModel } of KINDS) {
    const command = check
      .command(kind)
      .description(description)
      .argument('[file]', 'the text; - for standard input', '-');
    if (kind === 'injection')
      command.addOption(
        new Option(
          '--channel <who>',
          'user: a person says it; data: a tool or document brings it; guessed if absent',
        ).choices(['user', 'data']),
      );
    if (needsModel) command.requiredOption('--model <name>', 'as your code names it');
    command.action(async (file: string, flags: CheckFlags, called: Command) => {
      await start(called, async (context) =>
        (await import('../check/check-text.ts')).checkText(context, kind, file, flags),
      );
    });
  }
};
