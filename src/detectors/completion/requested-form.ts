import type { Step, Trace } from '../../core/trace.ts';
import { joined, stepsText } from '../_kit/text.ts';

/** A form that a message asks for, and the answers after it that have no part of it. */
export interface RequestedForm {
  /** Step of the message. */
  step: number;
  /** Names of the elements, as in `<file>…</file>`. */
  elements: readonly string[];
  answersWithout: readonly number[];
}

const ELEMENT = /<([a-z][\w-]{1,30})>[^<>]{0,40}<\/\1>/gi;
const MIN_ELEMENTS = 2;
const MAX_ELEMENTS = 4;
const READ_CHARACTERS = 20_000;

/** The last message of `sender` before the answers that shows a form of elements, if some of the answers have none of them. */
export function requestedForm({ steps }: Trace, sender: string | null, answers: readonly Step[]): RequestedForm | null {
  const before = answers[0]!.index;
  for (const { index, kind, agent, output } of steps.slice(0, before).reverse()) {
    if (kind !== 'message' || agent !== sender) continue;
    const elements = [...new Set([...output.slice(0, READ_CHARACTERS).matchAll(ELEMENT)].map(([, name]) => name!))];
    if (elements.length < MIN_ELEMENTS) continue;
    const without = answers.filter((answer) => elements.every((name) => !answer.output.includes(`<${name}>`)));
    return without.length === 0
      ? null
      : {
          step: index,
          elements: elements.slice(0, MAX_ELEMENTS),
          answersWithout: without.map((answer) => answer.index),
        };
  }
  return null;
}

/** One sentence with a leading space; empty for null. */
export function requestedFormText(form: RequestedForm | null): string {
  if (form === null) return '';
  const { step, elements, answersWithout } = form;
  return ` The message at step ${step} asks for ${elementsText(elements)}, and ${answersWithout.length === 1 ? 'the answer' : 'the answers'} at ${stepsText(answersWithout)} ${answersWithout.length === 1 ? 'contains' : 'contain'} none of them.`;
}

export function elementsText(elements: readonly string[]): string {
  return joined(elements.map((name) => `<${name}>`));
}
