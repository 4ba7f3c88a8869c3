import type { AnswerEntity } from './answer-entities.ts';

/** A name of several parts in square brackets, which is no link and no index of a program. */
const CITATION = /(?<![\p{L}\p{N}_\])])\[(\p{L}[\p{L}\p{N}]{0,30}(?:[_.:/#-][\p{L}\p{N}]{1,30}){1,6})\](?![([])/gu;
const CODE = /```[^`]*(?:`{1,2}[^`]+)*```|`[^`\n]+`/g;

/** A cited source that no text of the run contains, and a cited one of the same form that a text contains. */
export interface UnseenCitation {
  entity: AnswerEntity;
  known: string;
}

export function hasCitation(answer: string): boolean {
  return answer.search(CITATION) >= 0;
}

/** Citations of an answer that no text contains although another citation of the answer with the same form occurs. */
export function unseenCitations(answer: string, lowerTexts: readonly string[]): UnseenCitation[] {
  const cited = [...new Set(Array.from(answer.replace(CODE, ' ').matchAll(CITATION), ([, name]) => name!))].filter(
    (name) => /\d/.test(name),
  );
  const isKnown = (name: string) => lowerTexts.some((text) => text.includes(name.toLowerCase()));
  const known = cited.filter(isKnown);
  return cited.flatMap((name): UnseenCitation[] => {
    const sibling = known.includes(name) ? undefined : known.find((other) => formOf(other) === formOf(name));
    return sibling === undefined
      ? []
      : [{ entity: { kind: 'identifier', text: name, needle: name.toLowerCase() }, known: sibling }];
  });
}

function formOf(name: string): string {
  return name.replace(/\d{1,20}/g, '0').toLowerCase();
}
