import type { Fix, FixType } from '../../../core/detection.ts';
import type { Trace } from '../../../core/trace.ts';
import { addedRule } from '../../_kit/prompt-rule.ts';

/** A fix that adds a rule to the instructions of the responsible agent. */
export function ruleFix(
  trace: Trace,
  agent: string | null,
  { title, rule, why }: { title: string; rule: string; why: string },
): Fix {
  return {
    fixType: 'prompt_change',
    title,
    description: `Add to the instructions of ${agent ?? 'the agent'}: "${rule}"`,
    rationale: why,
    confidence: 0.45,
    risk: 'low',
    changes: [addedRule(trace, agent, rule)],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** The repair that the suggested action of a detection names, for the next attempt of the agent. */
export function repairFix(
  agent: string | null,
  { title, repair, why }: Record<'title' | 'repair' | 'why', string>,
): Fix {
  const target = `next attempt of ${agent ?? 'the agent'}`;
  return checkFix('prompt_change', { title, target, description: repair, after: repair, why });
}

/** A fix outside the prompt: a check in the workflow, a changed tool, or a setting. */
export function checkFix(
  fixType: FixType,
  { title, target, description, after, why }: Record<'title' | 'target' | 'description' | 'after' | 'why', string>,
): Fix {
  return {
    fixType,
    title,
    description,
    rationale: why,
    confidence: 0.55,
    risk: 'low',
    changes: [{ target, format: 'text', before: null, after }],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** How to read calls that a program joined into one, as a sentence for the suggested action. */
export function joinedCallsAction(who: string): string {
  return `Correct how the client of ${who} reads streamed calls, so that each call keeps its own name and arguments. Until then, switch parallel calls off.`;
}

/** The fix for calls of one turn that a program joined into one. */
export function joinedCallsFix(who: string): Fix {
  return checkFix('workflow_change', {
    title: `Read the streamed calls of ${who} one by one`,
    target: `client of ${who}`,
    description: `Assign each fragment of a streamed call to its call by index and id, and begin a new call at each new one. Until then, switch parallel calls off in the settings of the model.`,
    after: 'calls by (index, id) of their fragments; parallel calls off until this is corrected',
    why: 'The name of the refused call is a sequence of names of tools, so no single call has this name.',
  });
}
