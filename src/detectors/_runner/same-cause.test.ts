import { expect, it } from 'vitest';
import type { Trace } from '../../core/trace.ts';
import { ALL_DETECTORS } from '../_testing/all-detectors.ts';
import { parseTrace } from '../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { runDetectors } from './run.ts';

/** `type/subtype` of each detection with the title that it refers to. */
function referencesIn(trace: Trace): Record<string, string | null> {
  const { detections } = runDetectors(trace, ALL_DETECTORS);
  return Object.fromEntries(
    detections.map(({ type, subtype, explanation }) => [
      `${type}/${subtype}`,
      /The detection "([^"]+)".* has the same cause\.$/.exec(explanation)?.[1] ?? null,
    ]),
  );
}

function failedAgent(message: string): Trace {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  draft.graph = {
    nodes: [
      { name: 'Start', type: 'trigger', isEntry: true },
      { name: 'AI Agent', type: 'agent', isEntry: false, callsOut: true, isGuarded: false },
    ],
    edges: [{ from: 'Start', to: 'AI Agent' }],
    hasErrorHandler: false,
  };
  const error = { type: '429', message };
  const root = addStep(draft, { kind: 'chain', name: 'order flow', error });
  const agent = addStep(draft, {
    kind: 'agent',
    name: 'AI Agent',
    node: 'AI Agent',
    agent: 'AI Agent',
    parent: root,
    error,
  });
  addStep(draft, { kind: 'llm', name: 'Chat Model', model: 'gpt-4o', agent: 'AI Agent', parent: agent, error });
  return finishTrace(draft);
}

it('a node without error handling refers to the failed call inside it, or the other way round', () => {
  const found = referencesIn(failedAgent('Too many requests'));
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(['tool_failure/rate_limit', 'workflow_design/no_error_handling']),
  );
  expect(Object.values(found).filter((title) => title !== null)).toHaveLength(1);
});

it('a claim that tests pass refers to the tests that fail, or the other way round', () => {
  const found = referencesIn(
    parseTrace(
      [
        'framework codex',
        'agent coder',
        'user "Repair greet."',
        'tool apply_patch {"input":"*** Begin Patch\\n*** Update File: greet.js\\n-a\\n+b\\n*** End Patch"} -> "Done"',
        ...Array.from({ length: 4 }, () => 'tool exec_command {"cmd":"npm test"} !! 1 failing: expected 1, got 2'),
        'llm m -> "All tests pass now."',
      ].join('\n'),
    ),
  );
  expect(Object.keys(found)).toContain('completion/tests_claimed_despite_failure');
  expect(Object.values(found).filter((title) => title !== null).length).toBeGreaterThan(0);
});

it('two failures of different calls are two faults', () => {
  const found = referencesIn(
    parseTrace(
      'agent clerk\nuser "Book it."\ntool book {"day":1} !! 503: Service Unavailable\ntool pay {"sum":1} !! 401 Unauthorized\nllm m -> "It is booked."',
    ),
  );
  expect(Object.values(found).filter((title) => title !== null)).toEqual([]);
});

it('the repetition of a call of a tool that does not exist refers to the missing tool', () => {
  const call = 'tool lights_off {} !! No such tool available: lights_off';
  const found = referencesIn(
    parseTrace(`agent home\nuser "Light off."\n${Array(3).fill(call).join('\n')}\nllm m -> "Done."`),
  );
  expect(found['loop/exact_repetition']).toBe('A tool was called that does not exist');
});
