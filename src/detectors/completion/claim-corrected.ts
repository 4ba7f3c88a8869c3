import type { Trace } from '../../core/trace.ts';
import { cut, endOf } from '../_kit/text.ts';
import { corrections } from '../_readings/coding/corrections.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** The agent claimed that the work is done or the tests pass, and the user then reported that it does not work. */
export function claimCorrected(trace: Trace): Verdict | null {
  const found = corrections(trace).find(({ kind, about }) => kind === 'failure_report' && about !== null);
  if (found?.about == null) return null;
  const { step, about, text } = found;
  const claim = trace.steps[about]!;
  const name = claim.agent ?? claim.name;
  const correction = cut(text.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'claim_corrected',
    score: 0.62,
    step: about,
    steps: [about, step],
    agent: claim.agent,
    explanation: `${name} reported at step ${about} that the work was done, and the user answered at step ${step}: "${correction}". The claim did not hold.`,
    suggestedAction: `Have ${name} run the check that the user named before it reports success.`,
    evidence: [
      { kind: 'text', step: about, path: 'output', quote: endOf(claim.output.trim(), 250) },
      { kind: 'text', step, path: 'output', quote: cut(text.trim(), 250) },
    ],
    fix: checkFix('workflow_change', {
      title: 'Run the checks of the project before success is reported',
      target: `stop hook of ${name}`,
      description: 'Run build, lint and tests as the CI does in a stop hook, and hand failures back to the agent.',
      after: 'on stop: run build, lint and tests as CI does; on a failure, continue with its output',
      why: 'The user found a failure that the checks of the project show.',
    }),
    key: 'claim corrected',
  };
}
