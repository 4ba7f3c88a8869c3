import { expect, test } from 'vitest';
import type { Detection, Trace } from '../../client/misstep-client.generated.ts';
import { actorOf, decisiveStep, verdictDetection, verdictOf } from './verdict.ts';

const COMPLETED = {
  status: 'error',
  analysis: { state: 'complete', reason: null, at: null, left_out: [] },
  root_cause: null,
  leads: [],
} as const satisfies Partial<Trace>;

function trace(change: Partial<Trace>): Trace {
  return { ...COMPLETED, ...change } as Trace;
}

function detection(change: Partial<Detection>): Detection {
  return {
    detection_id: 'one',
    title: 'The same call 9 times',
    severity: 'warning',
    confidence: 0.8,
    basis: 'calibrated',
    step: 5,
    agent_id: 'researcher',
    withdrawn_at: null,
    validation: null,
    ...change,
  } as Detection;
}

function cause(confidence: number): NonNullable<Trace['root_cause']> {
  return {
    agent: 'planner',
    step: 2,
    span_id: 'b',
    confidence,
    why: ['its result is empty'],
    shows_at: { step: 5, title: 'Loop' },
  };
}

const marked = (is_valid: boolean) => ({ validation: { is_valid, feedback: null, at: '2026-01-01T00:00:00Z' } });

test.each<[string, Partial<Trace>, Partial<Detection>[], object]>([
  [
    'a likely root cause',
    { root_cause: cause(0.6) },
    [{}],
    { kind: 'decided', at: { step: 2, agent: 'planner' }, confidence: 0.6, others: [{ step: 5 }] },
  ],
  [
    'an unlikely root cause: the worst detection',
    { root_cause: cause(0.3) },
    [{}],
    { kind: 'decided', at: { step: 5 }, others: [{ step: 2 }] },
  ],
  [
    'the worst of several detections',
    {},
    [{ step: 1 }, { step: 7, severity: 'critical' }],
    { kind: 'decided', at: { step: 7 }, others: [{ step: 1 }] },
  ],
  [
    'of equally severe detections, the one with the highest confidence',
    {},
    [{ step: 1, confidence: 0.5 }, { step: 3 }],
    { kind: 'decided', at: { step: 3 } },
  ],
  [
    'a root cause at a node',
    { root_cause: { ...cause(0.6), agent: null } },
    [{ step: 2, agent_id: 'shipping', agent_kind: 'node' }],
    { kind: 'decided', at: { step: 2, agent: 'shipping', isNode: true } },
  ],
  [
    'a detection at a node',
    {},
    [{ agent_id: 'shipping', agent_kind: 'node' }],
    { kind: 'decided', at: { step: 5, agent: 'shipping', isNode: true } },
  ],
  ['a detection of fact', {}, [{ basis: 'fact' }], { kind: 'decided', confidence: null }],
  ['a detection about the run', {}, [{ step: null }], { kind: 'whole_run', title: 'The same call 9 times' }],
  ['observations only', {}, [{ severity: 'observation' }], { kind: 'clean', status: 'error' }],
  ['a withdrawn detection', {}, [{ withdrawn_at: '2026-01-01T00:00:00Z' }], { kind: 'clean' }],
  ['a detection marked wrong', {}, [marked(false)], { kind: 'clean' }],
  ['a detection marked right', {}, [marked(true)], { kind: 'decided' }],
  [
    'leads',
    { leads: [{ step: 3, span_id: 'c', agent: null, why: [] }] },
    [],
    { kind: 'leads', leads: [{ step: 3, reason: '' }] },
  ],
  ['a run that still runs', { status: 'running' }, [], { kind: 'not_judged', reason: 'running' }],
  ['a detection in a run that still runs', { status: 'running' }, [{}], { kind: 'decided' }],
  [
    'an analysis that waits',
    { analysis: { ...COMPLETED.analysis, left_out: [], state: 'pending' } },
    [],
    { kind: 'not_judged', reason: 'pending' },
  ],
  [
    'an analysis that was given up',
    { analysis: { ...COMPLETED.analysis, left_out: [], state: 'given_up', reason: 'too long' } },
    [],
    { kind: 'not_judged', reason: 'given_up', detail: 'too long' },
  ],
])('the verdict for %s', (_name, change, detections, expected) => {
  expect(verdictOf(trace(change), detections.map(detection))).toMatchObject(expected);
});

test.each([
  [{ root_cause: cause(0.6) }, 2],
  [{ leads: [{ step: 3, span_id: 'c', agent: null, why: [] }] }, 3],
  [{}, null],
])('decisiveStep returns the step that the page selects', (change, expected) => {
  expect(decisiveStep(verdictOf(trace(change), []))).toBe(expected);
});

test.each<[string, Partial<Trace>, Partial<Detection>[], string | undefined]>([
  ['the worst detection', {}, [{ step: 1 }, { step: 7, severity: 'critical', detection_id: 'two' }], 'two'],
  [
    'the detection that shows the root cause',
    { root_cause: cause(0.6) },
    [{ step: 1 }, { detection_id: 'two' }],
    'two',
  ],
  ['the detection at the root cause', { root_cause: cause(0.6) }, [{}, { step: 2, detection_id: 'two' }], 'two'],
  ['the detection about the run', {}, [{ step: null }], 'one'],
  ['no detection', {}, [], undefined],
])('the verdict is about %s', (_case, change, changes, expected) => {
  const detections = changes.map(detection);
  expect(verdictDetection(verdictOf(trace(change), detections), detections)?.detection_id).toBe(expected);
});

test.each<[string | null, boolean, string, string | null]>([
  [null, false, 'search', null],
  ['planner', false, 'search', 'planner'],
  ['planner', false, 'invoke_agent planner', null],
  ['shipping', true, 'shipping', null],
  ['shipping', true, 'search', 'node shipping'],
])('%j (node: %j) at the step %s is named %j', (agent, isNode, stepName, expected) => {
  expect(actorOf({ step: 1, agent, isNode }, stepName)).toBe(expected);
});
