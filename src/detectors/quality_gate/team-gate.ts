import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns } from '../_conduct/said.ts';
import { cut } from '../_kit/text.ts';
import type { GateGap } from './gap.ts';

const WRITES_CODE = /edit|coder|coding|programm|develop|implement|engineer/i;
const VERIFIES = /execut|test|verif|review|quality|\bqa\b|critic|validat|check|judge/i;

/** A team in which somebody changes code and nobody who verifies has a turn after it. */
export function teamGap(trace: Trace): GateGap | null {
  if (trace.agents.length < 2 || !trace.isSettled || trace.status === 'error') return null;
  const turns = agentTurns(trace).filter(({ agent, text }) => agent !== null && text !== '');
  const last = turns.findLast(({ agent }) => WRITES_CODE.test(agent!) && !VERIFIES.test(agent!));
  if (last === undefined || turns.some(({ agent, step }) => step > last.step && VERIFIES.test(agent!))) return null;
  if (isAskingForACheck(turns.at(-1)!.text)) return null;
  const verifier = trace.agents.find((agent) => VERIFIES.test(agent));
  return {
    subtype: 'no_tester_turn',
    score: verifier === undefined ? 0.6 : 0.52,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `${last.agent} did its last work on the code at step ${last.step}, and ${verifier === undefined ? 'no agent that tests or reviews had a turn in the whole run' : `${verifier} had no turn after it`}, so the run ended with a change that nobody verified.`,
    suggestedAction: `Give an agent that runs the tests a turn after every change by ${last.agent}.`,
    quote: cut(last.text, 160),
    path: 'output',
    fix: checkFix('workflow_change', {
      title: `Send every change of ${last.agent} through a test run`,
      target: `hand-over after ${last.agent}`,
      description: `After ${last.agent} reports a change, route to ${verifier ?? 'an agent that runs the tests'} before the planner may finish.`,
      after: `${last.agent} -> ${verifier ?? 'tester'} -> planner; finish only after a passing result`,
      why: 'The order of turns decides whether a change is verified, and here it was left to chance.',
    }),
    key: last.agent!,
  };
}

/** A run that ends while it waits for a check it asked for was cut off, and has not skipped its gate. */
function isAskingForACheck(text: string): boolean {
  return ASKS_FOR_A_CHECK.test(text.slice(-READ_CHARACTERS));
}

const READ_CHARACTERS = 1500;
const ASKS_FOR_A_CHECK =
  /\b(?:please|can you|could you|would you|bitte|por favor|merci de)\b[^.?!\n]{0,20}\b(?:run|execut|test|verif|check|try out|prüf|teste|ejecut|vérif|exécut)/i;
