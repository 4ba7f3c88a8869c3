import { isJsonObject, parseJson } from '../../core/json.ts';
import { readOwnLabels } from '../../features/evaluation/own-labels.ts';
import { predictLine } from '../../features/predictions/predict-line.ts';
import type { PredictOptions } from '../../features/predictions/predict-record.ts';
import { readLines } from '../analyze/read-lines.ts';
import type { CommandContext } from '../context.ts';
import type { Labelled, UnrankedItem } from './labelled.ts';

/** Labelled records, one line in memory at a time. An invalid line affects only itself. */
export async function readLabelledRecords(
  { io, signal }: CommandContext,
  file: string,
  options: PredictOptions,
): Promise<Labelled> {
  const found: Labelled = { items: [], problems: [], unlabelled: 0, unmatched: [] };
  let line = 0;
  for await (const text of readLines(file, io)) {
    line += 1;
    if (text.trim() === '') continue;
    signal.throwIfAborted();
    const item = toItem(text, line, options);
    if (typeof item === 'string') found.problems.push({ file, line, message: item });
    else if (item === null) found.unlabelled += 1;
    else found.items.push(item);
  }
  return found;
}

/** The item, null if the record has no labels, or the problem. */
function toItem(text: string, line: number, options: PredictOptions): UnrankedItem | string | null {
  const record = parseJson(text);
  if (!isJsonObject(record)) return 'not a JSON object';
  if (record.labels === undefined || record.labels === null) return null;
  const labels = readOwnLabels(record.labels);
  if (typeof labels === 'string') return labels;
  // The prediction removes the labels from the record before detectors read it.
  const judged = predictLine(text, line, options);
  return 'error' in judged ? judged.error : { kind: record.kind as UnrankedItem['kind'], labels, ...judged };
}
