import { textAt } from './attribute-values.ts';
import type { FactsReader } from './step-facts.ts';

/** Spans of hooks: `hook_event` with the tool (Qwen Code), or `hook.event_name` (Codex). */
export const readHookSpan: FactsReader = ({ attributes }) => {
  const event = textAt(attributes, 'hook_event', 'hook.event_name');
  if (event === undefined) return null;
  const proceeds = attributes.should_proceed;
  const tool = textAt(attributes, 'tool.name', 'tool_name') ?? null;
  return { hook: { event, tool, letsProceed: typeof proceeds === 'boolean' ? proceeds : null } };
};
