import { expect, it } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { answerNumber } from './answer-number.ts';
import { stepFeatures } from './step-features.ts';

function answer(text: string) {
  const { views } = stepFeatures(parseTrace(text));
  return answerNumber(
    views.map(({ act }) => act),
    views[0]!.run.finalAct,
  );
}

it.each([
  ['user "add"\nllm m -> "print(2+2)"\ntool run {} -> "4"\nllm m -> "So the answer is \\\\boxed{4}"', true, true],
  ['user "add"\nllm m -> "print(2+2)"\ntool run {} -> "4"\nllm m -> "So the answer is \\\\boxed{5}"', true, false],
  ['user "add"\nllm m -> "print(2+2)"\ntool run {} -> "4.0"\nllm m -> "So the answer is 4 of them"', false, true],
])('%j', (text, isBoxed, isShown) => expect(answer(text)).toMatchObject({ hasNumber: true, isBoxed, isShown }));

it('has no number in prose', () =>
  expect(answer('llm m -> "there is no such thing"')).toMatchObject({ hasNumber: false }));
