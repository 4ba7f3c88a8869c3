import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { AppError } from '../../core/app-error.ts';
import { type UnrankedPrediction, withFailureRanks } from '../../features/predictions/own-traffic.ts';
import { predictLine } from '../../features/predictions/predict-line.ts';
import type { FailedPrediction, Prediction } from '../../features/predictions/prediction.ts';
import { SCORERS } from '../../features/predictions/scorers.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { readLines } from './read-lines.ts';

const SHOWN_FAILURES = 10;

/**
 * One prediction per record, in the order of the input. Records are read one at a time; the predictions are kept until the
 * end, because a run is ranked among all runs of its traffic group. Detections do not cause a failure: the exit code is 2 if
 * the file cannot be read, or if no line in it could be analyzed.
 */
export async function predictRecords(context: CommandContext, from: string, to: string): Promise<number> {
  const { io, print } = context;
  const { found, failedCount } = await judgeLines(context, readLines(from, io));
  const judged = found.length - failedCount;
  // Opened after all input was read: opening truncates the file, which may also be the input.
  const target = to === '-' ? io.stdout : createWriteStream(resolve(io.cwd, to));
  const failed = failureOf(target, to);
  try {
    await Promise.race([writePredictions(found, target), failed]);
    if (target !== io.stdout) await Promise.race([closed(target), failed]);
    const hidden = failedCount - SHOWN_FAILURES;
    if (hidden > 0) print.warn(`misstep: ${counted(hidden, 'more line')} could not be analyzed`);
    print.note(`misstep: ${counted(judged, 'record')} judged, ${counted(failedCount, 'line')} not`);
    return judged === 0 ? EXIT.usage : EXIT.clean;
  } catch (error) {
    // The reader has closed the pipe, as `head` does.
    if (to === '-' && (error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.clean;
    throw error;
  }
}

type Judged = UnrankedPrediction | FailedPrediction;

async function judgeLines(
  { print, signal }: CommandContext,
  lines: AsyncIterable<string>,
): Promise<{ found: Judged[]; failedCount: number }> {
  const options = { models: createModelCatalog(), scorers: SCORERS, now: () => performance.now() };
  const found: Judged[] = [];
  let [number, failedCount] = [0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    signal.throwIfAborted();
    const item = predictLine(line, number, options);
    found.push(item);
    if (!('error' in item)) continue;
    failedCount += 1;
    if (failedCount <= SHOWN_FAILURES)
      print.warn(printableLine(`misstep: line ${number} could not be judged: ${item.error}`));
  }
  return { found, failedCount };
}

async function writePredictions(found: readonly Judged[], target: NodeJS.WritableStream): Promise<void> {
  for (const prediction of ranked(found))
    if (!target.write(`${JSON.stringify(prediction)}\n`)) await once(target, 'drain');
}

/** In the order of the input. */
function ranked(found: readonly Judged[]): (Prediction | FailedPrediction)[] {
  const usable = withFailureRanks(found.flatMap((item) => ('error' in item ? [] : [item]))).values();
  return found.map((item) => ('error' in item ? item : usable.next().value!.prediction));
}

function failureOf(target: NodeJS.WritableStream, to: string): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    if (to !== '-')
      target.on('error', (error: Error) => reject(new AppError('usage', `${to} cannot be written: ${error.message}`)));
  });
  failed.catch(() => {});
  return failed;
}

async function closed(target: NodeJS.WritableStream): Promise<void> {
  (target as Writable).end();
  await once(target, 'finish');
}
