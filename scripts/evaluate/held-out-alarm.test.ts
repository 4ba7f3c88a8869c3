import { expect, test } from 'vitest';
import { withHeldOutAlarm } from './held-out-alarm.ts';

const alarm = { type: 'completion', subtype: 'likely_failed', confidence: 0.99 };
const other = { type: 'completion', subtype: 'no_final_answer', confidence: 0.5 };
const blank = { ...alarm, confidence: 0 };

test.each([
  ['nothing was held out', [other, alarm], undefined, [other, alarm]],
  ['the held-out models stay silent', [other, alarm], null, [other]],
  ['both speak: the held-out probability counts', [alarm, other], 0.9, [other, { ...alarm, confidence: 0.9 }]],
  ['only the held-out models speak', [other], 0.9, [other, { ...blank, confidence: 0.9 }]],
])('%s', (_, detections, answer, expected) => {
  expect(withHeldOutAlarm(detections, answer, blank)).toEqual(expected);
});
