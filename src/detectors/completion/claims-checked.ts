import type { Trace } from '../../core/trace.ts';
import { admitsTrouble, claimOfPassingTests, claimsSuccess } from '../_conduct/claims.ts';
import { codingWork } from '../_conduct/coding-work.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns, type Said } from '../_conduct/said.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { cut } from '../_kit/text.ts';
import type { Verdict } from './verdict.ts';

/** Success claimed although the last try of a changing tool failed and nothing was said about it. */
export function claimedDespiteFailure(trace: Trace): Verdict | null {
  const lastTries = new Map<string, ToolUse>();
  for (const use of toolUses(trace)) if (use.changesState && use.command === null) lastTries.set(use.name, use);
  for (const use of lastTries.values()) {
    if (!use.isError) continue;
    const turns = agentTurns(trace).filter(({ step, text }) => step > use.step && text !== '');
    const claim = turns.find(({ text }) => claimsSuccess(text));
    if (claim === undefined || turns.some(({ text }) => admitsTrouble(text))) continue;
    return brokenClaim(trace, use, claim);
  }
  return null;
}

function brokenClaim(trace: Trace, use: ToolUse, claim: Said): Verdict {
  const name = claim.agent ?? trace.steps[claim.step]!.name;
  return {
    subtype: 'claimed_despite_failure',
    score: 0.8,
    step: claim.step,
    steps: [use.step, claim.step],
    agent: claim.agent,
    explanation: `${name} reported success at step ${claim.step}, but the last call of ${use.name} at step ${use.step} had failed ("${cut(use.failure!.message.replace(/\s+/g, ' '), 120)}") and no later call made up for it.`,
    suggestedAction: `Make ${name} check the result of ${use.name} before it reports success.`,
    evidence: [
      { kind: 'error', step: use.step, path: 'tool.result', quote: use.failure!.message },
      { kind: 'text', step: claim.step, path: 'output', quote: claim.text.slice(-250) },
    ],
    fix: checkFix('workflow_change', {
      title: `Block success messages while ${use.name} has failed`,
      target: `final answer of ${name}`,
      description: `Keep the outcome of the last ${use.name} call in the state, and hand the failure back to ${name} when it tries to finish.`,
      after: `if the last ${use.name} call failed: continue with its error instead of ending`,
      why: 'The answer contradicts the last result of the tool.',
    }),
    key: use.name,
  };
}

/** "All tests pass", in a run with changes to code in which no test was run. */
export function testsClaimedNotRun(trace: Trace): Verdict | null {
  const work = codingWork(trace);
  if (!work.some(({ kind }) => kind === 'edit')) return null;
  const suite = work.find(({ kind }) => kind === 'suite')?.use.step ?? Number.POSITIVE_INFINITY;
  for (const said of agentTurns(trace)) {
    const claim = claimOfPassingTests(said.text);
    if (claim === null || suite < said.step || said.calls.length > 0 || said.text.includes('```')) continue;
    return emptyClaim(
      trace,
      said,
      claim,
      work.some(({ kind, use }) => kind === 'check' && use.step < said.step),
    );
  }
  return null;
}

function emptyClaim(trace: Trace, said: Said, claim: string, hasChecked: boolean): Verdict {
  const name = said.agent ?? trace.steps[said.step]!.name;
  return {
    subtype: 'tests_claimed_not_run',
    score: hasChecked ? 0.5 : 0.85,
    step: said.step,
    steps: [said.step],
    agent: said.agent,
    explanation: `At step ${said.step} ${name} says "${cut(claim, 120)}", but no test was run before it${hasChecked ? ', only scripts of its own' : ''}.`,
    suggestedAction: 'Accept a claim about tests only with the output of a test run behind it.',
    evidence: [{ kind: 'text', step: said.step, path: 'output', quote: claim }],
    fix: checkFix('workflow_change', {
      title: 'Run the tests when they are claimed to pass',
      target: `stop hook of ${name}`,
      description: 'On a claim that tests pass, run them in a stop hook and hand the output back to the agent.',
      after: 'on stop: run the test command; exit code other than 0 -> continue with its output',
      why: 'Nothing in the trace supports the claim.',
    }),
    key: 'tests',
  };
}
