import { contentText, type Fields } from './json-value.ts';

export type ClaudeOutcome = 'ok' | 'failed' | 'refused' | 'cancelled' | 'policy';

// Fixed sentences of the program. They count only at the start of a result that the program marked as an error.
const REFUSED =
  /^(The user doesn't want to (proceed with this tool use|take this action right now)|User chose to stay in plan mode|User declined to answer|User rejected)/;
const CANCELLED = /^(Sibling tool call errored|Cancelled: parallel tool call|\[Request interrupted by user)/;
const POLICY =
  /^(Permission to use .{1,80} (has been|was) denied|Claude requested permissions? to|This command requires approval|PreToolUse:|.{1,80} operation blocked by hook)/;

/** `is_error` decides whether a call failed; the program's sentence decides who stopped it. */
export function outcomeOfResult(block: Fields, summary: unknown): ClaudeOutcome {
  if (block.is_error !== true) return 'ok';
  const text = contentText(block.content)
    .replace(/^<tool_use_error>/, '')
    .trim();
  if (REFUSED.test(text) || summary === 'User rejected tool use') return 'refused';
  if (CANCELLED.test(text)) return 'cancelled';
  return POLICY.test(text) ? 'policy' : 'failed';
}
