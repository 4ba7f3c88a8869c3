import type { Trace } from '../../core/trace.ts';
import type { QuestionOptions } from '../_kit/define.ts';
import { MATERIAL_LIMIT, type Question, questionAbout } from '../_kit/question.ts';
import { words } from '../_kit/text.ts';
import { sourcedAnswer } from './answers.ts';

const IS_UNSUPPORTED =
  'Is there a statement of fact in the list that the sources neither say nor imply? Say no if each follows from the sources, also where it is put in other words, rounded, summed up or translated. What the sources do not say counts as unsupported even if you believe that it is true.';

/** A question with the flagged statements and the closest passages. */
export function groundingQuestions(trace: Trace, { drafts }: QuestionOptions): Question[] {
  const answer = sourcedAnswer(trace);
  if (answer === null) return [];
  return drafts.map((draft) => {
    const statements = draft.evidence.map(({ quote }) => quote ?? '').filter((quote) => quote !== '');
    return questionAbout(draft, IS_UNSUPPORTED, [
      { label: 'the statements', text: statements.map((statement) => `- ${statement}`).join('\n') },
      { label: 'the sources', text: closestPassages(answer.sources, statements, SOURCES_LIMIT) },
    ]);
  });
}

const PASSAGE_LENGTH = 700;
/** The statements use the remaining characters. */
const SOURCES_LIMIT = MATERIAL_LIMIT - 2_000;

/** As many passages as fit: those that share the most words with the statements, in their original order. */
export function closestPassages(sources: readonly string[], statements: readonly string[], limit: number): string {
  const terms = new Set(statements.flatMap(words).filter((word) => word.length > 3 || /\d/.test(word)));
  const passages = sources.flatMap(passagesOf).map((text, at) => {
    const shared = new Set(words(text).filter((word) => terms.has(word))).size;
    return { text, at, shared };
  });
  let room = limit;
  const kept = passages
    .toSorted((one, other) => other.shared - one.shared || one.at - other.at)
    .filter(({ text }) => {
      if (text.length + 2 > room) return false;
      room -= text.length + 2;
      return true;
    });
  return kept
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text)
    .join('\n\n');
}

/** Passages cut at line and sentence ends if there are any; neighbouring passages do not overlap. */
function passagesOf(source: string): string[] {
  const passages: string[] = [];
  for (let at = 0; at < source.length; ) {
    const window = source.slice(at, at + PASSAGE_LENGTH);
    const end = Math.max(window.lastIndexOf('\n'), window.lastIndexOf('. ') + 1);
    const length = window.length < PASSAGE_LENGTH || end < PASSAGE_LENGTH / 2 ? window.length : end + 1;
    passages.push(source.slice(at, at + length).trim());
    at += length;
  }
  return passages.filter((passage) => passage !== '');
}
