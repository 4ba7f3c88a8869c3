import type { Trace } from '../../core/trace.ts';
import { recordedWord } from '../_kit/completeness.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { endOf } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { refusalOf } from '../_readings/coding/refusals.ts';
import { admitsFailure, claimsSuccess } from '../_readings/conduct/claims.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** The agent claims success although the last attempt of a changing tool failed, and does not mention the failure. */
export function claimedDespiteFailure(trace: Trace): Verdict | null {
  const lastTries = new Map<string, ToolUse>();
  for (const use of toolUses(trace))
    if (use.changesState && use.command === null && refusalOf(use) === null) lastTries.set(use.name, use);
  for (const use of lastTries.values()) {
    if (!use.isError) continue;
    const turns = agentTurns(trace).filter(({ step, text }) => step > use.step && text !== '');
    const claim = turns.find(({ text }) => claimsSuccess(text));
    if (claim === undefined || turns.some(({ text }) => admitsFailure(text))) continue;
    return brokenClaim(trace, use, claim);
  }
  return null;
}

function brokenClaim(trace: Trace, use: ToolUse, claim: ConversationTurn): Verdict {
  const name = claim.agent ?? trace.steps[claim.step]!.name;
  return {
    subtype: 'claimed_despite_failure',
    score: 0.8,
    step: claim.step,
    steps: [use.step, claim.step],
    agent: claim.agent,
    explanation: `${name} reported success at step ${claim.step}, but the last call of ${use.name} at step ${use.step} had failed (${quotedError(use.failure!.message, 120)}) and no later ${recordedWord(trace)}call made up for it.`,
    suggestedAction: `Make ${name} check the result of ${use.name} before it reports success.`,
    evidence: [
      { kind: 'error', step: use.step, path: 'tool.result', quote: use.failure!.message },
      { kind: 'text', step: claim.step, path: 'output', quote: endOf(claim.text.trim(), 250) },
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
