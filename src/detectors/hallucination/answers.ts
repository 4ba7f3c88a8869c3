import type { Step, Trace } from '../../core/trace.ts';
import { letterWords } from '../_kit/text.ts';
import { isLookup } from '../_readings/calls/calls.ts';
import { runTexts } from '../_readings/support/run-texts.ts';
import { STOP_WORDS } from '../_readings/support/stop-words.ts';

/** An answer from retrieved texts, with the texts it may be based on. */
export interface SourcedAnswer {
  step: Step;
  text: string;
  /** Documents, tool results, user messages and prompts; if there are many, those of the last steps. */
  sources: string[];
  /** Whether documents were retrieved; the answer is then meant to be based on them. */
  hasDocuments: boolean;
}

/** Long runs are compared only with the latest texts, so that time stays bounded. */
const SOURCES_LIMIT = 60_000;
const ANSWER_LIMIT = 8000;
/** Minimum number of words in a prose passage, and minimum share of function words. */
const MIN_PROSE_WORDS = 40;
const MIN_PROSE_SHARE = 0.25;

/** The run's last answer if a model wrote it after a text was retrieved; null otherwise. */
export function sourcedAnswer(trace: Trace): SourcedAnswer | null {
  const text = trace.finalOutput?.trim() ?? '';
  if (text === '' || text.length > ANSWER_LIMIT) return null;
  const step = trace.steps.findLast(({ kind, output }) => kind === 'llm' && output.trim() === text);
  if (step === undefined) return null;
  const before = trace.steps.slice(0, step.index);
  const hasDocuments = before.some(({ documents }) => documents.some(({ content }) => content.trim() !== ''));
  if (!hasDocuments && !before.some(lookedUpProse)) return null;
  return { step, text, sources: latest(runTexts(trace, text)), hasDocuments };
}

/** The retrieved prose. Records and tables are answered in the agent's own words; only prose can be compared by wording. */
function lookedUpProse({ kind, name, tool, status, output }: Step): boolean {
  if (kind !== 'tool' || status === 'error' || !isLookup(tool?.name ?? name)) return false;
  const words = letterWords(output.slice(0, 4000));
  const common = words.filter((word) => STOP_WORDS.has(word)).length;
  return words.length >= MIN_PROSE_WORDS && common / words.length >= MIN_PROSE_SHARE;
}

function latest(texts: readonly string[]): string[] {
  const kept: string[] = [];
  let room = SOURCES_LIMIT;
  for (const text of texts.toReversed()) {
    if (room <= 0) break;
    kept.push(text.slice(-room));
    room -= text.length;
  }
  return kept;
}
