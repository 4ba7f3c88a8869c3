import { checkHallucinationOperation } from '../../features/security/security.operations.ts';
import { readInputFile, readStandardInput } from '../analyze/read-input.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { percent } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';

/** @returns exit code: 1 if the sources do not support the output */
export async function checkGrounding(
  context: CommandContext,
  file: string,
  sources: readonly string[],
): Promise<number> {
  const { io, options, print, style } = context;
  const { body } = file === '-' ? await readStandardInput(io) : readInputFile(file, io);
  const texts = sources.map((source) => readInputFile(source, io).body.toString());
  const found = await (await context.backend()).call(checkHallucinationOperation, {
    output: body.toString(),
    sources: texts,
  });
  const exitCode = found.is_hallucination ? EXIT.problems : EXIT.clean;
  if (options.isJson) {
    print.json(found);
    return exitCode;
  }
  const unsupported = found.sentences.filter(({ supported }) => !supported);
  print.data(
    facts(
      [
        ['hallucination', `${found.is_hallucination ? 'yes' : 'no'} (confidence ${percent(found.confidence)})`],
        ['because', found.explanation],
        ...unsupported.map(({ text, missing }): [string, string] => [
          'unsupported',
          `“${text}”${missing.length > 0 ? `: ${missing.join(', ')}` : ''}`,
        ]),
        ['in a run', 'not known: there, the detectors choose the sources from all texts of the run.'],
      ],
      style,
    ),
  );
  return exitCode;
}
