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
