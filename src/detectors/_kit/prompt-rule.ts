import type { FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';

const LONGEST_CONTEXT_LINE = 300;

/** A rule added to an agent's instructions: a diff against its system prompt where the trace shows it, else the text. */
export function addedRule(trace: Trace, agent: string | null, rule: string): FixChange {
  const target = `${agent ?? 'agent'} instructions`;
  const lines = systemPrompt(trace, agent)?.trimEnd().split('\n') ?? [];
  const last = lines.at(-1);
  if (last === undefined || last === '' || last.length > LONGEST_CONTEXT_LINE)
    return { target, format: 'text', before: null, after: rule };
  const diff = [
    '--- a/system-prompt',
    '+++ b/system-prompt',
    `@@ -${lines.length} +${lines.length},2 @@`,
    ` ${last}`,
    `+${rule}`,
  ];
  return { target, format: 'unified-diff', before: null, after: diff.join('\n') };
}

function systemPrompt(trace: Trace, agent: string | null): string | undefined {
  const call = trace.steps.find((step) => step.agent === agent && step.inputMessages[0]?.role === 'system');
  return call?.inputMessages[0]?.content;
}
