import { expect, it } from 'vitest';
import type { Trace } from '../../core/trace.ts';
import { ALL_DETECTORS } from '../_testing/all-detectors.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { runDetectors } from './run.ts';
import { withoutSameFact } from './same-fact.ts';

const KINDS = ['coordination/handoff_ping_pong', 'loop/cyclic'];

function kindsIn(trace: Trace): string[] {
  const { detections } = runDetectors(trace, ALL_DETECTORS);
  return detections.map(({ type, subtype }) => `${type}/${subtype}`).filter((kind) => KINDS.includes(kind));
}

/** Agents that hand off to each other in turn, each inside its own span. */
function handedAround(agents: readonly string[], handoffs: number): Trace {
  const draft = emptyDraft();
  const root = addStep(draft, { kind: 'chain', name: 'desk' });
  for (let at = 0; at < handoffs; at += 1) {
    const [agent, next] = [agents[at % agents.length]!, agents[(at + 1) % agents.length]!];
    const parent = addStep(draft, { kind: 'agent', name: agent, agent, parent: root });
    const output = `Transferred to ${next}.`;
    const tool = { id: null, name: `transfer_to_${next}`, arguments: {}, result: output };
    addStep(draft, { kind: 'llm', agent, parent, output: '' });
    addStep(draft, { kind: 'tool', name: tool.name, agent, parent, tool, output });
  }
  return finishTrace(draft);
}

it('handoffs back and forth between two agents are one detection', () => {
  expect(kindsIn(handedAround(['billing', 'sales'], 12))).toEqual(['coordination/handoff_ping_pong']);
});

it('a cycle of three agents is no handoff back and forth', () => {
  expect(kindsIn(handedAround(['billing', 'sales', 'stock'], 12))).toEqual(['loop/cyclic']);
});

it.each([
  [['coordination/handoff_ping_pong', 'warning'], ['loop/cyclic', 'warning'], 0],
  [['loop/cyclic', 'warning'], ['coordination/handoff_ping_pong', 'warning'], 1],
  [['loop/cyclic', 'critical'], ['coordination/handoff_ping_pong', 'warning'], 0],
  [['coordination/handoff_ping_pong', 'warning'], ['loop/cyclic', 'observation'], 0],
] as const)('of %j and %j, number %i is kept', (one, other, kept) => {
  const trace = handedAround(['billing', 'sales'], 12);
  const { detections } = runDetectors(trace, ALL_DETECTORS);
  const base = detections.find(({ type }) => type === 'coordination')!;
  const both = [one, other].map(([kind, severity]) => {
    const [type, subtype] = kind.split('/') as ['loop' | 'coordination', string];
    return { ...base, type, subtype, severity };
  });
  expect(withoutSameFact(trace, both)).toEqual([both[kept]]);
});
