import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { countOf, textOf } from '../coding-session/fields.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { blocksOf } from './transcript-line.ts';

/** Facts that the program recorded about a finished tool call. */
export interface ToolResult {
  text: string;
  isError: boolean;
  exitCode: number | null;
  refusal: CallRefusal | null;
  /** Duration of the tool itself in milliseconds; null if unknown. */
  durationMs: number | null;
  /** Subagent that the call started. */
  agentId: string | null;
}

/** @param recorded the line's `toolUseResult`: an object in the tool's own format, or the error as text */
export function readToolResult(block: JsonObject, recorded: Json | undefined, permission?: Json): ToolResult {
  const text = typeof block.content === 'string' ? block.content : resultText(block.content);
  const own = isJsonObject(recorded) ? recorded : {};
  const isError = block.is_error === true || own.success === false;
  return {
    text,
    isError,
    exitCode: isError ? exitCodeIn(text) : shellExitCode(own),
    refusal: isError ? (refusalIn(text) ?? refusedPermission(permission)) : null,
    durationMs:
      countOf(own.durationMs) ??
      countOf(own.totalDurationMs) ??
      (countOf(own.durationSeconds) === null ? null : (countOf(own.durationSeconds) as number) * 1000),
    agentId: textOf(own.agentId),
  };
}

export function outcomeAttributes({ isError, exitCode, refusal, agentId }: ToolResult): Attributes {
  return {
    [MISSTEP.toolIsError]: isError,
    ...(exitCode === null ? {} : { [MISSTEP.toolExitCode]: exitCode }),
    ...(refusal === null ? {} : { [MISSTEP.refusedBy]: refusal.by }),
    ...(refusal === null || refusal.reason === null ? {} : { [MISSTEP.refusalReason]: refusal.reason }),
    ...(agentId === null ? {} : { [MISSTEP.subagentId]: agentId }),
  };
}

function resultText(content: Json | undefined): string {
  return blocksOf(content)
    .map((block) => textOf(block.text) ?? `[${textOf(block.type) ?? 'content'}]`)
    .join('\n');
}

/** Only the first line is read: the rest is the output of the command. */
export function exitCodeIn(text: string): number | null {
  const code = /^(?:Error: )?Exit code (-?\d{1,6})(?:\n|$)/.exec(text)?.[1];
  return code === undefined ? null : Number(code);
}

/** A finished command without an error flag returned 0, unless the program explains another code. */
function shellExitCode({ stdout, interrupted, returnCodeInterpretation, backgroundTaskId }: JsonObject): number | null {
  const isFinished = typeof stdout === 'string' && interrupted !== true;
  return isFinished && returnCodeInterpretation === undefined && backgroundTaskId === undefined ? 0 : null;
}

const USER_REFUSED = [
  "The user doesn't want to proceed with this tool use.",
  "The user doesn't want to take this action right now.",
  'User rejected tool use',
] as const;
const USER_STOPPED = ['[Request interrupted by user', 'Interrupted by user'] as const;
const PLAN_REFUSED = 'User chose to stay in plan mode';
const POLICY_REFUSED = [
  /^Permission to use \S+ (?:with command .{0,2000} )?has been denied/,
  /^Claude requested permissions? to /,
] as const;
const HOOK_REFUSED =
  /^(?:Error: )?PreToolUse:\S* (?:hook (?:blocking )?error|\[)|^(?:Execution stopped|Blocked) by PreToolUse hook/;
const HARNESS_REFUSED = [
  'Sibling tool call errored',
  'Cancelled: parallel tool call',
  'Streaming fallback - tool execution discarded',
] as const;
const REASONS = ['the user said:\n', 'The user provided the following reason for the rejection:'] as const;
const MAX_REASON_LENGTH = 2_000;

/** Who refused the call, from the fixed phrases at the start of such results. */
export function refusalIn(result: string): CallRefusal | null {
  const text = result.replace(/^(?:<tool_use_error>|Error: )+/, '');
  if (USER_REFUSED.some((start) => text.startsWith(start))) return { by: 'user', reason: reasonIn(text) };
  if (USER_STOPPED.some((start) => text.startsWith(start))) return { by: 'user', reason: null };
  if (text.startsWith(PLAN_REFUSED)) return { by: 'user', reason: reasonIn(text) };
  const first = text.slice(0, MAX_REASON_LENGTH);
  if (POLICY_REFUSED.some((pattern) => pattern.test(first)) || HOOK_REFUSED.test(first))
    return { by: 'policy', reason: first };
  return HARNESS_REFUSED.some((start) => text.startsWith(start))
    ? { by: 'harness', reason: first.replace(/<\/tool_use_error>\s*$/, '') }
    : null;
}

function reasonIn(text: string): string | null {
  for (const marker of REASONS) {
    const at = text.indexOf(marker);
    if (at >= 0)
      return textOf(
        text
          .slice(at + marker.length)
          .trim()
          .slice(0, MAX_REASON_LENGTH),
      );
  }
  return null;
}

/** A decision about the call, which newer versions write next to the result. */
function refusedPermission(permission: Json | undefined): CallRefusal | null {
  if (!isJsonObject(permission)) return null;
  const { decision, source } = permission;
  if (typeof decision !== 'string' || decision === 'accept' || decision === 'allow') return null;
  return { by: String(source).startsWith('user') ? 'user' : 'policy', reason: null };
}
