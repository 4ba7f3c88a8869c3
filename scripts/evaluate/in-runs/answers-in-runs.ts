import { type LabelledRecord, loadSet } from '../../fit/load-set.ts';
import { detectOne } from './detect-one.ts';
import { runWithAnswer } from './planted-runs.ts';

/** The sets of `grounding-scores.ts`; the model of the folder `grounding` was fitted on the first four. */
export const ANSWER_SOURCES = ['begin', 'faithdial_audit', 'wice', 'q2_wow', 'qags', 'faithbench'] as const;

export interface AnswerFigures {
  source: string;
  unsupported: number;
  supported: number;
  /** Runs with a detection, and with one of severity warning or higher. */
  fired: { unsupported: number; supported: number };
  warned: { unsupported: number; supported: number };
}

/** Text pairs as runs: an answer, and the documents that were retrieved for it. */
export function answerFigures(source: string, data: string): AnswerFigures | null {
  const figures: AnswerFigures = {
    source,
    unsupported: 0,
    supported: 0,
    fired: { unsupported: 0, supported: 0 },
    warned: { unsupported: 0, supported: 0 },
  };
  for (const record of loadSet(source, data)) {
    if (typeof record.labels.is_hallucination !== 'boolean') continue;
    const side = record.labels.is_hallucination ? 'unsupported' : 'supported';
    figures[side] += 1;
    const detections = detectOne('hallucination', traceOfPair(record));
    if (detections.length > 0) figures.fired[side] += 1;
    if (detections.some(({ severity }) => severity === 'warning' || severity === 'critical')) figures.warned[side] += 1;
  }
  return figures.unsupported + figures.supported === 0 ? null : figures;
}

function traceOfPair({ text, sources }: LabelledRecord) {
  return runWithAnswer(text ?? '', sources);
}
