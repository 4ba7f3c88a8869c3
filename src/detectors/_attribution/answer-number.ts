import type { Act } from './acts.ts';

/** How the number a run ends on stands to the numbers its tools and executors showed. */
export interface AnswerNumber {
  hasNumber: boolean;
  isBoxed: boolean;
  /** Whether anything but a model showed it, before or elsewhere than in the opening message. */
  isShown: boolean;
  isLastShown: boolean;
  /** How many different last numbers the models' messages had. */
  candidates: number;
}

const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;

export function answerNumber(acts: readonly Act[], finalAct: number): AnswerNumber {
  const final = acts[finalAct]?.said ?? '';
  const boxed = /\\boxed\{([^{}]{1,80})/.exec(final)?.[1];
  const number = lastNumber(boxed ?? final);
  const shown = acts.slice(1).filter((act) => act.kind !== 'llm');
  const models = acts.filter((act) => act.kind === 'llm').flatMap((act) => lastNumber(act.said) ?? []);
  return {
    hasNumber: number !== null,
    isBoxed: boxed !== undefined,
    isShown: number !== null && shown.some((act) => numbersOf(act.said).includes(number)),
    isLastShown: number !== null && shown.length > 0 && numbersOf(shown[shown.length - 1]!.said).includes(number),
    candidates: new Set(models).size,
  };
}

function lastNumber(text: string): number | null {
  const numbers = numbersOf(text);
  return numbers[numbers.length - 1] ?? null;
}

function numbersOf(text: string): number[] {
  return (text.slice(-ENDING).match(NUMBER) ?? [])
    .map((found) => Number(found.replaceAll(',', '')))
    .filter(Number.isFinite);
}

/** Answers and printed results stand at the end. */
const ENDING = 3000;
