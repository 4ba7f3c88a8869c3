import { readLabelFile } from '../../features/evaluation/label-file.ts';
import { evaluateOwn } from '../../features/evaluation/own-evaluation.ts';
import { withFailureRanks } from '../../features/predictions/own-traffic.ts';
import type { PredictOptions } from '../../features/predictions/predict-record.ts';
import { SCORERS } from '../../features/predictions/scorers.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { readInputFile } from '../analyze/read-input.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { evaluationJson } from './evaluation-json.ts';
import { evaluationText } from './evaluation-text.ts';
import type { Labelled } from './labelled.ts';
import { readLabelledRecords } from './labelled-records.ts';
import { readLabelledTraces } from './labelled-traces.ts';

export interface EvaluateFlags {
  labels?: string;
}

const SHOWN_PROBLEMS = 10;

/** Accuracy of the detectors on the user's labelled data. @returns exit code: 2 if nothing could be analyzed */
export async function runEvaluate(
  context: CommandContext,
  files: readonly string[],
  { labels }: EvaluateFlags,
): Promise<number> {
  const { options, print, style } = context;
  const predicting: PredictOptions = {
    models: createModelCatalog(),
    scorers: SCORERS,
    now: () => performance.now(),
  };
  const found =
    labels === undefined
      ? await fromRecords(context, files, predicting)
      : fromTraces(context, files, labels, predicting);
  warnOfProblems(context, found);
  if (found.items.length === 0) {
    print.warn('misstep: no labelled record could be analyzed');
    return EXIT.usage;
  }
  const evaluation = evaluateOwn(withFailureRanks(found.items));
  if (options.isJson) print.json(evaluationJson(evaluation, found));
  else print.data(evaluationText(evaluation, style));
  return EXIT.clean;
}

async function fromRecords(context: CommandContext, files: readonly string[], predicting: PredictOptions) {
  const all: Labelled[] = [];
  for (const file of files) all.push(await readLabelledRecords(context, file, predicting));
  return joined(all);
}

function fromTraces(
  context: CommandContext,
  files: readonly string[],
  labelPath: string,
  predicting: PredictOptions,
): Labelled {
  const labelFile = readLabelFile(readInputFile(labelPath, context.io).body.toString());
  const parts = files.map((file) => readLabelledTraces(context, file, labelFile, predicting));
  const seen = new Set(parts.flatMap((part) => part.seen));
  const all = joined(parts);
  return {
    ...all,
    problems: [...labelFile.problems.map((problem) => ({ file: labelPath, ...problem })), ...all.problems],
    unmatched: [...labelFile.labels.keys()].filter((traceId) => !seen.has(traceId)),
  };
}

function joined(parts: readonly Labelled[]): Labelled {
  return {
    items: parts.flatMap(({ items }) => items),
    problems: parts.flatMap(({ problems }) => problems),
    unlabelled: parts.reduce((sum, { unlabelled }) => sum + unlabelled, 0),
    unmatched: [],
  };
}

function warnOfProblems({ print }: CommandContext, { items, problems, unlabelled, unmatched }: Labelled): void {
  for (const { file, line, message } of problems.slice(0, SHOWN_PROBLEMS)) {
    const where = line === null ? file : `${file} line ${line}`;
    print.warn(printableLine(`misstep: ${where} was left out: ${message}`));
  }
  const hidden = problems.length - SHOWN_PROBLEMS;
  if (hidden > 0) print.warn(`misstep: ${counted(hidden, 'more line')} omitted`);
  if (unmatched.length > 0)
    print.warn(
      printableLine(
        `misstep: ${counted(unmatched.length, 'label')} without a trace: ${unmatched.slice(0, 3).join(', ')}`,
      ),
    );
  const rest = unlabelled === 0 ? '' : `, ${counted(unlabelled, 'item')} without labels`;
  print.note(`misstep: ${counted(items.length, 'labelled item')} judged${rest}`);
}
