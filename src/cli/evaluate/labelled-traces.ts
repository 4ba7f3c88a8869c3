import { AppError } from '../../core/app-error.ts';
import type { LabelFile } from '../../features/evaluation/label-file.ts';
import { predictSpans } from '../../features/evaluation/predict-spans.ts';
import type { PredictOptions } from '../../features/predictions/predict-record.ts';
import { decodeAny } from '../../formats/detect/detect-format.ts';
import { readInputFile } from '../analyze/read-input.ts';
import type { CommandContext } from '../context.ts';
import type { Labelled } from './labelled.ts';

/** Traces in any format that `analyze` reads, with labels from another file. */
export function readLabelledTraces(
  { io, signal }: CommandContext,
  file: string,
  { labels }: LabelFile,
  options: PredictOptions,
): Labelled & { seen: string[] } {
  const { spans, rejections } = decoded(readInputFile(file, io).body, file, io.clock.now());
  const found: Labelled = {
    items: [],
    problems: rejections.map(({ pointer, message }) => ({
      file,
      line: lineOf(pointer),
      message: `${pointer} ${message}`.trim(),
    })),
    unlabelled: 0,
    unmatched: [],
  };
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  for (const [traceId, group] of traces) {
    signal.throwIfAborted();
    const own = labels.get(traceId.toLowerCase());
    if (own === undefined) found.unlabelled += 1;
    else found.items.push({ kind: 'trace', labels: own, ...predictSpans(group, options) });
  }
  return { ...found, seen: [...traces.keys()].map((traceId) => traceId.toLowerCase()) };
}

function decoded(body: Buffer, file: string, receivedAtMs: number) {
  try {
    return decodeAny(body, { receivedAtMs });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('usage', `${file}: ${error.message}`, { errors: error.errors, cause: error });
  }
}

/** The line number in an error pointer such as `line 7`; null for other pointers. */
function lineOf(pointer: string): number | null {
  const line = /^line (\d+)/.exec(pointer)?.[1];
  return line === undefined ? null : Number(line);
}
