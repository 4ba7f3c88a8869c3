import type { Detection } from '../../../src/core/detection.ts';
import type { Span } from '../../../src/core/span.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { placedLines } from '../../../test/support/invariance/detected-in.ts';
import { ENCODINGS, type EncodingName } from '../../../test/support/invariance/encodings.ts';
import { type LabelledRecord, unlabelled } from '../../fit/load-set.ts';
import { type Outcome, outcomeOf, type TraceSet } from '../outcome.ts';
import { canCarry, GAPS, type Gaps } from './carried-facts.ts';
import { actSteps, judged, models } from './judged-run.ts';
import { type LineDifference, lineDifference } from './line-difference.ts';
import { plainRunOf } from './plain-run-of.ts';
import { reducedSpans } from './reduced-spans.ts';

/** One run in one encoding, compared with its record. */
export interface EncodedRun extends LineDifference {
  set: string;
  id: string;
  encoding: EncodingName;
  outcome: Outcome;
  /** Detections of the record, as `type/subtype severity`. */
  before: string[];
  /** Whether only the encoded run has a warning or worse. */
  isNewlyFlagged: boolean;
}

export const SENT_ENCODINGS = Object.keys(GAPS) as EncodingName[];

/** The run in each encoding that can carry it. */
export function* encodedRuns(
  set: TraceSet,
  record: LabelledRecord,
  encodings: readonly EncodingName[],
): Generator<EncodedRun> {
  const { spans } = decodeRecord(unlabelled(record));
  const run = plainRunOf(traceOf(spans));
  if (run === null) return;
  const known = new Map<string, Judged>();
  for (const encoding of encodings) {
    const gaps = GAPS[encoding]!;
    if (!canCarry(gaps, run)) continue;
    const sent = traceOf(ENCODINGS[encoding](run));
    const before = judgedRecord(spans, gaps, sent.framework, known);
    const after = judgedTrace(sent);
    yield {
      ...lineDifference(before.lines, after.lines),
      set,
      id: record.id,
      encoding,
      outcome: outcomeOf(set, record.raw),
      before: before.lines.map((line) => line.slice(0, line.indexOf(' @'))),
      isNewlyFlagged: after.isFlagged && !before.isFlagged,
    };
  }
}

interface Judged {
  lines: string[];
  isFlagged: boolean;
}

function traceOf(spans: readonly Span[]): Trace {
  return buildTrace(spans, { models, isSettled: true });
}

function judgedRecord(spans: readonly Span[], { facts }: Gaps, framework: string, known: Map<string, Judged>): Judged {
  const key = [...facts, framework].join('|');
  const found = known.get(key) ?? judgedTrace(traceOf(reducedSpans(spans, facts, framework)));
  known.set(key, found);
  return found;
}

function judgedTrace(trace: Trace): Judged {
  const detections = judged(trace);
  return { lines: placedLines(detections, actSteps(trace)), isFlagged: detections.some(isFlag) };
}

function isFlag({ severity }: Detection): boolean {
  return severity === 'warning' || severity === 'critical';
}
