import { describe, expect, it } from 'vitest';
import type { FailureSign } from '../_attribution/failure-signs.ts';
import { parseTrace } from '../_kit/notation.ts';
import { verdictOf } from './likely-failed.ts';

const TRACE = parseTrace(`
user "Move my booking."
agent clerk
llm m -> "I move it."
tool move_booking {"day":"Fri"} -> "Error: no such day"
llm m -> "Done."`);

const RANKED = {
  agent: 'clerk',
  step: 2,
  confidence: 0.4,
  isKnownShape: true,
  why: ['it failed itself'],
  top: [
    { step: 2, agent: 'clerk', score: 0.5, why: [] },
    { step: 3, agent: 'clerk', score: 0.2, why: [] },
  ],
};
const SIGN: FailureSign = { name: 'failed_change', words: 'a tool that changes something failed', steps: [2] };

describe('verdictOf', () => {
  it('names the step, the signs with their steps, and a fix for the strongest sign', () => {
    const verdict = verdictOf(TRACE, 0.876, RANKED, [SIGN]);
    expect(verdict).toMatchObject({ step: 2, steps: [2, 3], key: 'failed_change', model: { probability: 0.876 } });
    expect(verdict.explanation).toBe(
      'Of runs with these tools that go like this one, about 88 in 100 missed their goal. Signs: a tool that changes something failed (step 2). Look first at step 2 (move_booking): it failed itself.',
    );
    expect(verdict.fix.changes[0]!.target).toBe('move_booking');
    expect(verdict.evidence.map(({ step, quote }) => [step, quote])).toEqual([
      [2, 'it failed itself'],
      [2, 'a tool that changes something failed'],
    ]);
  });

  it('says so where no single sign stands out', () => {
    const { explanation, key, fix } = verdictOf(TRACE, 0.9, { ...RANKED, why: [] }, []);
    expect(explanation).toContain('No single fault stands out');
    expect([key, fix.title]).toEqual(['pattern', 'Check the result against the request']);
  });
});
