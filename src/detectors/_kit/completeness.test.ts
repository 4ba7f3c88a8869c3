import { expect, test } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { hasKnownEnd } from './completeness.ts';

test.each([
  ['an answer is recorded', 'tool search {} -> "x"\nllm m -> "done"', true],
  ['the run ends with a call', 'llm m\ntool search {} -> "x"', true],
  ['the last answer is empty, and others are recorded', 'llm m -> "I search."\ntool search {} -> "x"\nllm m', true],
  ['no answer of a model is recorded', 'llm m\ntool search {} -> "x"\nllm m', false],
  ['the answer of the run is recorded elsewhere', 'tool search {} -> "x"\nllm m\nfinal "done"', true],
  [
    'no answer of a coding agent is recorded',
    'session {"endedBy":"completed"}\nllm m\ntool search {} -> "x"\nllm m',
    true,
  ],
  [
    'the last model call writes its answer to the graph state',
    'llm m\nstate {"question":"How far is it to Kiel?"}\nllm m\nstate {"question":"How far is it to Kiel?","answer":"It is ninety kilometres."}',
    true,
  ],
  [
    'the last model call writes no text to the graph state',
    'llm m\nstate {"plan":"van"}\nllm m\nstate {"plan":"bus"}',
    false,
  ],
  ['the run continues', 'running\ntool search {} -> "x"\nllm m -> "done"', false],
])('whether the end of a run is known: %s', (_, text, isKnown) => {
  expect(hasKnownEnd(parseTrace(text))).toBe(isKnown);
});
