import type { Fix } from '../../core/detection.ts';

/** What a fix hangs on: who repeats what, and in which framework. */
export interface Repeated {
  framework: string;
  agent: string | null;
  /** Tool, node cycle or message, as a short name. */
  what: string;
  times: number;
}

/** A guard in the user's own framework; the limit leaves room for one honest retry. */
export function loopGuard({ framework, agent, what, times }: Repeated): Fix {
  const guard = GUARDS[framework] ?? GENERIC_GUARD;
  return {
    fixType: 'loop_guard',
    title: `Stop ${what} after 2 rounds without progress`,
    description: `Add a guard to ${agent ?? 'the agent'} that ends or redirects the run when ${what} comes again with nothing changed; it came ${times} times here.`,
    rationale: 'The repeated steps returned what was already known, so ending at the second one loses nothing.',
    confidence: 0.7,
    risk: 'low',
    changes: [{ target: agent ?? what, format: 'text', before: null, after: guard(what) }],
    isBreaking: false,
    requiresTesting: true,
  };
}

const GENERIC_GUARD = (what: string) =>
  `Keep the last calls with their results; when ${what} is asked for a third time with the same result, return "already done, result unchanged: choose another action or finish" instead of running it.`;

const GUARDS: Record<string, (what: string) => string> = {
  langgraph: (what) =>
    [
      'def route(state):',
      `    # ${what}: leave when a round changed nothing`,
      '    if state["rounds"] >= 2 and state["result"] == state["previous_result"]:',
      '        return END',
      '    return state["next"]',
      '',
      'graph.add_conditional_edges(node, route)',
      'app.invoke(inputs, {"recursion_limit": 12})  # a backstop, no substitute for the edge',
    ].join('\n'),
  'openai-agents': (what) =>
    `Runner.run(agent, input, max_turns=8), and in the tool behind ${what} raise ModelBehaviorError("unchanged result, stop calling") on the third equal call.`,
  crewai: (what) => `Agent(max_iter=8, cache=True) and a step_callback that stops on the third equal ${what}.`,
  autogen: (what) =>
    `termination = MaxMessageTermination(20) | TextMentionTermination("TERMINATE"), and a custom TerminationCondition that ends the chat when ${what} repeats unchanged.`,
  ag2: (what) =>
    `ConversableAgent(max_consecutive_auto_reply=5, is_termination_msg=...) so that ${what} ends when it repeats unchanged.`,
  'vercel-ai': (what) =>
    `stopWhen: [stepCountIs(8), ({ steps }) => lastThreeCallsAreEqual(steps)] so that ${what} ends the run.`,
  n8n: (what) =>
    `Put an IF node before the edge back to ${what} that compares $runIndex with 3 and the last two outputs, and leads to the end when nothing changed.`,
};

/** Tells the model what it cannot see: that it has been here before. */
export function rememberInPrompt({ agent, what, times }: Repeated, quote: string): Fix {
  return {
    fixType: 'prompt_change',
    title: `Tell ${agent ?? 'the agent'} to change course when a result repeats`,
    description: `Add one rule to the instructions of ${agent ?? 'the agent'}: an unchanged result of ${what} is an answer, not a reason to ask again.`,
    rationale: `It repeated ${what} ${times} times after seeing the same outcome.`,
    confidence: 0.4,
    risk: 'low',
    changes: [
      {
        target: `${agent ?? 'agent'} instructions`,
        format: 'text',
        before: null,
        after: `If ${what} returns the same as before${quote === '' ? '' : ` (for example: ${quote})`}, do not repeat it. Use other arguments or another tool, or say what is missing and finish.`,
      },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}
