import type { Step, Trace } from '../../core/trace.ts';
import { FINAL_TOOL, readTrailRun, type Turn, toolName } from '../_attribution/trail-run.ts';
import { hasWord } from '../_kit/names-in-text.ts';

/** A run that was offered tools or helpers and handed in an answer without having used one. */
export interface UnaidedAnswer {
  /** Indices into `Trace.steps`: where the answer was handed in, and where the tool was spoken of. */
  step: number;
  agent: string | null;
  /** What was offered, in the order it was told. */
  offered: readonly string[];
  /** The tool or helper that the run said it would use; null where it spoke of none. */
  spokenOf: { name: string; step: number; text: string } | null;
}

/** A call that hands in an answer, as a tool that ran or as written in code. */
const HANDS_IN = /\b(?:final_?answer|submit(?:_answer)?|finish|attempt_completion)\b/i;

export function unaidedAnswer(trace: Trace): UnaidedAnswer | null {
  if (trace.steps.some(isHelp) || !trace.steps.some(mayHandIn)) return null;
  const { turns, tools, delegates, promised } = readTrailRun(trace);
  if (promised.size === 0 || tools.length > 0 || delegates.length > 0) return null;
  const final = turns.findLast(({ place, isFinal }) => place >= 0 && isFinal);
  if (final === undefined) return null;
  return {
    step: final.step.index,
    agent: final.step.agent,
    offered: [...promised],
    spokenOf: spokenOf(turns, final, [...promised]),
  };
}

/** Most runs use a tool: nothing else of them is read. */
function isHelp(step: Step): boolean {
  return step.kind === 'tool' && !FINAL_TOOL.test(toolName(step));
}

function mayHandIn(step: Step): boolean {
  if (step.kind === 'tool') return true;
  return step.kind === 'llm' && (HANDS_IN.test(step.output) || step.outputMessages.some(callsSomething));
}

function callsSomething({ toolCalls }: Step['outputMessages'][number]): boolean {
  return toolCalls.length > 0;
}

function spokenOf(turns: readonly Turn[], final: Turn, offered: readonly string[]): UnaidedAnswer['spokenOf'] {
  for (const { step, said } of turns) {
    if (step.index > final.step.index) break;
    const name = offered.find((one) => hasWord(said, one));
    if (name !== undefined) return { name, step: step.index, text: sentenceWith(said, name) };
  }
  return null;
}

/** The line that speaks of it, word for word. */
function sentenceWith(text: string, name: string): string {
  return text.split('\n').find((line) => hasWord(line, name)) ?? name;
}
