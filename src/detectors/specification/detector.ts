import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { breachesOf, type FoundBreach, type SpecificationBreach } from './breaches.ts';
import { changedQuantity, changedQuantityDetection } from './changed-quantity.ts';
import { specificationManifest } from './manifest.ts';

export const specification = defineDetector({
  ...specificationManifest,
  detect(trace, _options, report) {
    const changed = changedQuantity(trace);
    if (changed !== null) report(changedQuantityDetection(trace, changed));
    const seen = new Set<string>();
    for (const breach of breachesOf(trace)) {
      if (seen.has(breach.subtype)) continue;
      seen.add(breach.subtype);
      report(draftOf(trace, breach));
    }
  },
});

function draftOf(trace: Trace, breach: FoundBreach): DetectionDraft<SpecificationBreach> {
  const { subtype, score, step, agent, constraint, what, quote, path } = breach;
  const name = agent ?? trace.steps[step]!.name;
  const quoted = cut(constraint.quote.replace(/\s+/g, ' ').trim(), 120);
  return {
    subtype,
    score,
    step,
    steps: [step],
    agent,
    explanation: `The task says "${quoted}", but ${what} (${name}, step ${step}).`,
    suggestedAction: `Check this constraint before the answer of ${name} is sent.`,
    evidence: [{ kind: 'output', spanId: trace.steps[step]!.spanId, path, quote: cut(quote, 280), value: what }],
    fixes: [fixFor(trace, breach, quoted, name)],
    key: constraint.kind,
  };
}

function fixFor(trace: Trace, { subtype, agent, constraint, what }: FoundBreach, quoted: string, name: string): Fix {
  if (subtype === 'forbidden_tool' && constraint.kind === 'forbidden_tool')
    return checkFix('config_change', {
      title: `Do not offer ${constraint.name} for such tasks`,
      target: `tools of ${name}`,
      description: `Leave ${constraint.name} out of the tools of the run if the task excludes it; a tool that is not offered cannot be called.`,
      after: `tools: all but ${constraint.name}`,
      why: 'An instruction in the task did not prevent the call.',
    });
  return ruleFix(trace, agent, {
    title: 'Check the constraints last',
    rule: `Before you answer, list the constraints of the task (here: "${quoted}") and correct the answer until it keeps each of them.`,
    why: `The constraint was stated, and ${what}.`,
  });
}
