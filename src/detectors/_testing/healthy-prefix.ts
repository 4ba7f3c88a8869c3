import type { Step, Trace } from '../../core/trace.ts';
import { addStep, emptyDraft, finishTrace } from './trace-draft.ts';

const TOPICS = ['harbour opening hours', 'ferry timetable', 'bicycle rental', 'museum tickets', 'weather on Friday'];

/** The trace preceded by ordinary, varied steps; all indices are shifted accordingly. */
export function withHealthyPrefix(trace: Trace): Trace {
  const prefix = healthySteps(trace.agents[0] ?? null);
  const shift = prefix.length;
  const steps = trace.steps.map((step) => ({
    ...step,
    index: step.index + shift,
    parent: step.parent === null ? null : step.parent + shift,
  }));
  const states = trace.states.map((snapshot) => ({ ...snapshot, step: snapshot.step + shift }));
  return { ...trace, steps: [...prefix, ...steps], states };
}

function healthySteps(agent: string | null): Step[] {
  const draft = emptyDraft();
  for (const [at, topic] of TOPICS.entries()) {
    const result = `${topic}: ${at + 3} entries, last one from ${topic.split(' ')[0]} office`;
    addStep(draft, {
      kind: 'tool',
      agent,
      input: JSON.stringify({ topic }),
      output: result,
      tool: { id: null, name: 'lookup_topic', arguments: { topic }, result },
    });
  }
  return finishTrace(draft).steps.map((step) => ({ ...step, spanId: `prefix${step.index}` }));
}
