import { expect, it } from 'vitest';
import { INVALID_ANSWER, readAnswer } from './judge-answer.ts';

it.each([
  ['{"answer":"yes","reason":"It is."}', 'yes', 'It is.'],
  ['  {"reason": "It is not.", "answer": "no"}\n', 'no', 'It is not.'],
  ['```json\n{"answer":"unsure","reason":"Who knows."}\n```', 'unsure', 'Who knows.'],
  ['```\n{"answer":"no","reason":""}\n```', 'no', ''],
  ['<think>Is it {"answer":"no"}? Yes.</think>\n{"answer":"yes","reason":"so"}', 'yes', 'so'],
  ['{"answer":"yes"}', 'yes', ''],
  ['{"answer":"yes","reason":"two\\n\\u0007lines \\u202e"}', 'yes', 'two lines'],
  [`{"answer":"yes","reason":"${'r'.repeat(500)}"}`, 'yes', 'r'.repeat(200)],
])('%s', (text, verdict, reason) => expect(readAnswer(text)).toEqual({ verdict, reason }));

it.each([
  '',
  'yes',
  '"yes"',
  'Yes, it is: {"answer":"yes","reason":"so"}',
  '{"answer":"yes","reason":"so"} Let me explain.',
  '{"answer":"yes","reason":"so"}{"answer":"no","reason":"so"}',
  '[{"answer":"yes","reason":"so"}]',
  '{"answer":"YES","reason":"so"}',
  '{"answer":"maybe","reason":"so"}',
  '{"answer":true}',
  '{"answer":"yes","reason":7}',
  '{"answer":"yes","reason":"so","confidence":1}',
  '{"answer":["yes"],"reason":"so"}',
  '{"__proto__":{"answer":"yes"}}',
  '<think>{"answer":"yes","reason":"so"}',
  '```json\n{"answer":"yes"',
  '```',
])('%s is unsure', (text) => expect(readAnswer(text)).toEqual({ verdict: 'unsure', reason: INVALID_ANSWER }));
