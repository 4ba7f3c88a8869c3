import { describe, expect, it } from 'vitest';
import type { Trace } from '../../core/trace.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { leadRecord, leadsOf } from './run-leads.ts';

/** A run that ended with an error. */
const failedRun = (text: string): Trace => ({ ...parseTrace(text), status: 'error' });

const FAILED = [
  'agent planner',
  'llm m -> "I look up order 17 and pay 250 for it."',
  'agent clerk',
  'tool find {"id":17} -> "order 17, 250 to pay"',
  'tool pay {"amount":250} !! The account is closed',
  'llm m -> "I could not pay."',
].join('\n');
const failed = () => failedRun(FAILED);

describe('the leads of a failed run', () => {
  it('are three steps, first the one that failed last, with its error', () => {
    const leads = leadsOf(failed(), []);
    expect(leads).toHaveLength(3);
    expect(leadRecord.parse(leads[0])).toMatchObject({
      step: 2,
      span_id: failed().steps[2]!.spanId,
      agent: 'clerk',
      why: ['it failed: The account is closed'],
    });
    expect(new Set(leads.map(({ step }) => step)).size).toBe(3);
  });

  it('are kept beside observations, and give way to what was found', () => {
    expect(leadsOf(failed(), [{ severity: 'observation' }])).toHaveLength(3);
    expect(leadsOf(failed(), [{ severity: 'info' }])).toEqual([]);
  });

  it('are not there for a run that ended well', () => {
    expect(leadsOf({ ...failed(), status: 'ok' }, [])).toEqual([]);
    expect(leadsOf({ ...failed(), status: 'ok' }, [], 0.89)).toEqual([]);
  });

  it('are there for a run that ended well and shows more trouble than most', () => {
    expect(leadsOf({ ...failed(), status: 'ok' }, [], 0.9)).toHaveLength(3);
    expect(leadsOf({ ...failed(), status: 'ok' }, [{ severity: 'info' }], 1)).toEqual([]);
  });

  it('never name the user, and name no step twice', () => {
    const trace = failedRun('user "Pay 30."\nagent a\ntool pay {} !! No\ntool pay {} !! No');
    const steps = leadsOf(trace, []).map(({ step }) => step);
    expect(steps).not.toContain(0);
    expect(new Set(steps).size).toBe(steps.length);
  });

  it('cut a long error at a word', () => {
    const trace = failedRun(`agent a\ntool pay {} !! ${'The account is closed. '.repeat(20)}`);
    const [error] = leadsOf(trace, [])[0]!.why;
    expect(error!.length).toBeLessThan(180);
    expect(error).toMatch(/(closed\.|account|is|The)…$/);
  });
});
