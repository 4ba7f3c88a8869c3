import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { addedRule } from '../_kit/prompt-rule.ts';
import { counted } from '../_kit/text.ts';
import { isStepLimit } from '../_readings/calls/run-errors.ts';

/** A repetition as the fixes describe it. */
export interface Repeated {
  trace: Trace;
  agent: string | null;
  /** Tool, node cycle or message, as a short name. */
  what: string;
  times: number;
}

/** A loop guard in the user's framework. The limit allows one retry, unless the run made only one. */
export function loopGuard({ trace, agent, what, times }: Repeated): Fix {
  const javascript = trace.language === 'javascript' ? JAVASCRIPT_GUARDS[trace.framework] : undefined;
  const guard = javascript ?? GUARDS[trace.framework] ?? GENERIC_GUARD;
  const allowed = times > 2 ? 2 : 1;
  const rounds = counted(allowed, 'round');
  // A cycle of a graph is left after its last node.
  const lastNode = trace.framework === 'langgraph' && what.includes(' → ') ? what.split(' → ').at(-1) : undefined;
  const target = lastNode ?? agent ?? what;
  const text = guard(what, target, LIMITS[allowed]);
  return {
    fixType: 'loop_guard',
    title: `Stop ${what} after ${rounds} without progress`,
    description: `Add a guard to ${target} that ends or redirects the run when a round of ${what} brings the same result as the round before.`,
    rationale: `This run has ${times} rounds of ${what}; the guard ends them after ${rounds} without progress.`,
    confidence: 0.7,
    risk: 'low',
    changes: [
      { target, format: 'text', before: null, after: hasStepLimit(trace) ? text.split(SECOND_LIMIT)[0]! : text },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}

const SECOND_LIMIT = ' As a second limit, ';

/** Whether the run has a step limit: it was stopped at it. */
function hasStepLimit({ steps }: Trace): boolean {
  return steps.some(({ error }) => error !== null && isStepLimit(error));
}

interface Limit {
  /** The round that is not run. */
  ordinal: string;
  /** Its number. */
  round: number;
  /** The equal rounds, as words. */
  equal: string;
}

const LIMITS: Readonly<Record<1 | 2, Limit>> = {
  1: { ordinal: 'second', round: 2, equal: 'two' },
  2: { ordinal: 'third', round: 3, equal: 'three' },
};

type Guard = (what: string, agent: string, limit: Limit) => string;

const GENERIC_GUARD: Guard = (what, _, { ordinal }) =>
  `Keep the last calls with their results. When ${what} is called for the ${ordinal} time with the same result, return "already done, result unchanged: choose another action or finish" instead of running it.`;

const GUARDS: Record<string, Guard> = {
  langgraph: (what, node, { ordinal }) =>
    `Make the edge after ${node} conditional: keep the result of ${what} and the number of its rounds in the state, and go to END from the ${ordinal} round on if the result equals that of the round before.`,
  'openai-agents': (what, _, { ordinal }) =>
    `Keep the last results of ${what}. From the ${ordinal} equal result on, return "same result as before: stop calling ${what}". As a second limit, pass \`max_turns\` to \`Runner.run\`: a little more than the turns of a healthy run.`,
  crewai: (what, _, { ordinal }) =>
    `Stop the agent in a \`step_callback\` at the ${ordinal} identical ${what}. As a second limit, set \`max_iter\` of the agent: a little more than the iterations of a healthy run.`,
  autogen: (what) =>
    `End the chat with a \`TerminationCondition\` of your own when ${what} is repeated unchanged. As a second limit, combine it with \`MaxMessageTermination\`: a little more than the messages of a healthy run.`,
  ag2: (what) =>
    `Pass an \`is_termination_msg\` to the \`ConversableAgent\` that is true when ${what} comes again unchanged. As a second limit, set \`max_consecutive_auto_reply\`: a little more than the replies of a healthy run.`,
  'vercel-ai': (what, _, { equal }) =>
    `Add a condition to \`stopWhen\` that is true when the last ${equal} calls of ${what} and their results are equal. As a second limit, add \`stepCountIs\`: a little more than the steps of a healthy run.`,
  n8n: (what, _, { round }) =>
    `Put an IF node before the edge back to ${what}: it compares \`$runIndex\` with ${round} and the last two outputs, and leads to the end when nothing changed.`,
};

/** Guards with the names of the JavaScript version, where they differ. */
const JAVASCRIPT_GUARDS: Readonly<Record<string, Guard>> = {
  'openai-agents': (what, _, { ordinal }) =>
    `Keep the last results of ${what}. From the ${ordinal} equal result on, return "same result as before: stop calling ${what}". As a second limit, pass \`maxTurns\` to \`run\`: a little more than the turns of a healthy run.`,
};

/** A prompt rule that tells the model about its previous calls. */
export function rememberInPrompt(repeated: Repeated, quote: string): Fix {
  const { what, times } = repeated;
  const example = quote === '' ? '' : ` (for example: ${quote})`;
  return promptFix(
    repeated,
    `If ${what} returns the same as before${example}, do not repeat it. Use other arguments or another tool, or say what is missing and finish.`,
    `an unchanged result of ${what} is final, not a reason to repeat the call`,
    `It repeated ${what} ${times} times after seeing the same result.`,
  );
}

export function preventDuplicateSend(repeated: Repeated): Fix {
  return promptFix(
    repeated,
    'Before you send a message that you have already sent, stop: try a different approach, or say what is missing and finish.',
    'a message that did not help the first time is not sent again',
    `It sent the same message ${repeated.times} times.`,
  );
}

export function preventEqualRound(repeated: Repeated): Fix {
  return promptFix(
    repeated,
    'Before you start a round that would equal the one before, stop: try a different approach, or say what is missing and finish.',
    'a round that brought nothing new is not repeated unchanged',
    `${repeated.what} ran ${repeated.times} times and brought nothing new.`,
  );
}

function promptFix({ trace, agent }: Repeated, rule: string, summary: string, rationale: string): Fix {
  return {
    fixType: 'prompt_change',
    title: `Tell ${agent ?? 'the agent'} to change course instead of repeating itself`,
    description: `Add one rule to the instructions of ${agent ?? 'the agent'}: ${summary}.`,
    rationale,
    confidence: 0.4,
    risk: 'low',
    changes: [addedRule(trace, agent, rule)],
    isBreaking: false,
    requiresTesting: true,
  };
}
