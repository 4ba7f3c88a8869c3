import {
  calculateCostOperation,
  checkInjectionOperation,
  checkOverflowOperation,
} from '../../features/security/security.operations.ts';
import { readInputFile, readStandardInput } from '../analyze/read-input.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { count, dollars } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';

export interface CheckFlags {
  model?: string;
  channel?: 'user' | 'data';
  source?: string[];
}

export type CheckKind = 'injection' | 'overflow' | 'cost';

/** @returns exit code: 1 for an injection, or a text that exceeds the model's context */
export async function checkText(
  context: CommandContext,
  kind: CheckKind,
  file: string,
  flags: CheckFlags,
): Promise<number> {
  const { io } = context;
  const { body } = file === '-' ? await readStandardInput(io) : readInputFile(file, io);
  const input = { text: body.toString(), model: flags.model ?? '', channel: flags.channel };
  return { injection, overflow, cost: price }[kind](context, input);
}

interface CheckedText {
  text: string;
  model: string;
  channel: CheckFlags['channel'];
}

async function injection(
  { backend, options, print, style }: CommandContext,
  { text, channel }: CheckedText,
): Promise<number> {
  const found = await (await backend()).call(checkInjectionOperation, { text, channel });
  const exitCode = found.is_injection ? EXIT.problems : EXIT.clean;
  if (options.isJson) {
    print.json(found);
    return exitCode;
  }
  const places = found.matches.map(({ quote, why }): [string, string] => ['found', `“${quote}”: ${why}`]);
  const verdict = found.is_injection ? `yes, ${found.severity}` : 'no';
  const rows: [string, string][] = [
    ['injection', `${verdict} (confidence ${Math.round(found.confidence * 100)} %)`],
    ['read as', found.channel === 'user' ? 'words of a user' : 'data'],
    ['because', found.explanation],
    ...places,
    ['in a run', found.in_run.explanation],
  ];
  print.data(facts(rows, style));
  return exitCode;
}

async function overflow({ backend, options, print, style }: CommandContext, input: CheckedText): Promise<number> {
  const found = await (await backend()).call(checkOverflowOperation, input);
  const exitCode = found.risk === 'ok' ? EXIT.clean : EXIT.problems;
  if (options.isJson) {
    print.json(found);
    return exitCode;
  }
  const share = `${count(found.tokens)} of ${count(found.context_window)} tokens (${(found.utilization * 100).toFixed(1)} %)`;
  print.data(
    facts(
      [
        ['context', share],
        ['risk', found.risk],
        ['advice', found.recommendation],
      ],
      style,
    ),
  );
  return exitCode;
}

async function price({ backend, options, print, style }: CommandContext, input: CheckedText): Promise<number> {
  const found = await (await backend()).call(calculateCostOperation, input);
  if (options.isJson) print.json(found);
  else
    print.data(
      facts(
        [
          ['model', found.model],
          ['input', `${count(found.input_tokens)} tokens`],
          ['cost', dollars(found.cost_usd)],
          ['prices of', found.as_of],
        ],
        style,
      ),
    );
  return EXIT.clean;
}
