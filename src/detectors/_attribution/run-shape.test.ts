import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { runShape } from './run-shape.ts';
import { stepFeatures } from './step-features.ts';

it.each([
  ['agent Historian\nllm m -> "a"\nagent Verifier\nllm m -> "b"', 'group'],
  ['agent Orchestrator\nllm m -> "a"\nagent WebSurfer\nllm m -> "b"', 'orchestrated'],
  ['agent Helper\nllm m -> "a" calls find {}\ntool find {} -> "b"', 'single'],
  ['tool find {} -> "b"', 'other'],
  ['span a\n  span b\n    span c\n      span d\n        agent Helper\n        llm m -> "a"', 'other'],
])('%j', (text, shape) => expect(runShape(stepFeatures(parseTrace(text)).views)).toBe(shape));
