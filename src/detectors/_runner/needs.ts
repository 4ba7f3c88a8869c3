import type { Step, TokenUsage, Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import type { Need } from '../_kit/manifest.ts';
import { toolUses } from '../_readings/calls/calls.ts';

/** Why a detector does not apply, by what the trace lacks. */
export const MISSING_TEXT: Readonly<Record<Need, string>> = {
  steps: 'the trace has no steps',
  tool_calls: 'the trace records no tool call',
  states: 'the trace records no state',
  llm_calls: 'the trace records no call of a language model',
  tokens: 'no step reports tokens',
  text: 'no step carries any text',
  graph: 'the workflow graph is not known',
  settled: 'the trace is still running',
  complete: 'some records of the trace were rejected',
};

const IS_MET: Record<Need, (trace: Trace) => boolean> = {
  steps: (trace) => trace.steps.length > 0,
  tool_calls: (trace) => toolUses(trace).length > 0,
  states: (trace) => trace.states.length > 0 || trace.checkpoints.length > 0,
  llm_calls: (trace) => trace.steps.some((step) => step.kind === 'llm'),
  tokens: (trace) => hasTokens(trace.tokens) || trace.steps.some((step) => hasTokens(step.tokens)),
  text: (trace) => trace.steps.some(hasText) || trace.states.length > 0,
  graph: (trace) => trace.graph !== null,
  settled: hasKnownEnd,
  complete: isComplete,
};

/** Why the detector does not apply to this trace; null if the trace contains all required data. */
export function missingNeed(needs: readonly Need[], trace: Trace): string | null {
  const missing = needs.find((need) => !IS_MET[need](trace));
  if (missing === undefined) return null;
  if (missing !== 'settled' || !trace.isSettled) return MISSING_TEXT[missing];
  return isComplete(trace) ? UNRECORDED_END : MISSING_TEXT.complete;
}

/** The sender may be set up not to send contents. */
const UNRECORDED_END = 'the last answer of the run was not recorded';

function hasTokens(tokens: TokenUsage): boolean {
  return tokens.total !== null || tokens.input !== null || tokens.output !== null;
}

function hasText(step: Step): boolean {
  return step.output !== '' || step.input !== '' || step.inputMessages.length > 0 || step.outputMessages.length > 0;
}
