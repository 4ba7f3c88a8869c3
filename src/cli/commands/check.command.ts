import { type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { CheckFlags, CheckKind } from '../check/check-text.ts';

const KINDS: readonly { kind: CheckKind; description: string; needsModel: boolean }[] = [
  {
    kind: 'injection',
    description: 'Detect a prompt injection in a text. Exit code 1 if there is one.',
    needsModel: false,
  },
  { kind: 'overflow', description: "Show how much of a model's context window a text uses.", needsModel: true },
  { kind: 'cost', description: "Show what a text costs as a model's input.", needsModel: true },
];

export const addCheck: AddCommand = (program, start) => {
  const check = program.command('check').description('Check one text.');
  check
    .command('hallucination')
    .description('Check a text against its sources. Exit code 1 if they do not support it.')
    .argument('[file]', 'the output; - for standard input', '-')
    .requiredOption('--source <files...>', 'sources that must support the output')
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
        new Option('--channel <who>', 'origin: user (a person) or data (a tool or document); default: guessed').choices(
          ['user', 'data'],
        ),
      );
    if (needsModel) command.requiredOption('--model <name>', 'name of the model, as in your code');
    command.action(async (file: string, flags: CheckFlags, called: Command) => {
      await start(called, async (context) =>
        (await import('../check/check-text.ts')).checkText(context, kind, file, flags),
      );
    });
  }
};
