import type { Trace } from '../../../core/trace.ts';
import type { ToolUse } from '../calls/calls.ts';

/**
 * How far a call got. `refused`: a person, a policy or a sandbox stopped it before it ran. `failed`: the system prevented
 * the effect. `open`: nothing shows that it ran.
 */
export type CallOutcome = 'ran' | 'refused' | 'failed' | 'open';

const READ_CHARACTERS = 600;

/** Refusal messages of Claude Code, Codex, Gemini CLI, Cursor and OpenClaw, and of hooks and policies in general. */
const REFUSED =
  /tool use was rejected|want to proceed with this tool use|^(?:Error: )?Permission (?:to use|for this action)|rejected by user|rejected due to unacceptable risk|(?:denied|rejected|declined|cancell?ed) by (?:the )?(?:user|policy|hook|operator)|user (?:denied|rejected|declined|cancell?ed|refused)|exec denied|exec host not allowed|elevated is not available|Elevated execution is unavailable|approval[- ](?:pending|required|timed out)|requires a sandbox|path escapes (?:the )?(?:sandbox|workspace)|"status":\s?"forbidden"|was blocked\. For security|denied by your permission settings|could not request permission|^(?:Error: )?Run outside of the sandbox|blocked by (?:a |the )?(?:hook|policy|sandbox|permission)|hook (?:denied|blocked)|disabled by policy|is not allowed at this depth|reached max active children|not allowed by (?:the )?(?:sandbox|policy)/i;
const FAILED =
  /dangerous to operate recursively|refusing to remove|cannot remove|operation not permitted|permission denied|read-only file system|command not found|no such file or directory|not recognized as|rejected\]|protected branch|fatal: |error: |does not exist|not found|could not connect|connection refused|access denied|unauthorized|forbidden|required flag/i;

export function outcomeOf(trace: Trace, use: ToolUse): CallOutcome {
  const { failure, resultText } = use;
  if (use.refusal !== null || failure?.code === 'permission_denied') return 'refused';
  const message = `${failure?.message.slice(0, READ_CHARACTERS) ?? ''}\n${resultText.slice(0, READ_CHARACTERS)}`.trim();
  if (message !== '' && isRefusal(message)) return 'refused';
  if ((failure !== null || hasFailedCode(message)) && FAILED.test(message)) return 'failed';
  const step = trace.steps[use.step]!;
  return step.kind === 'tool' && step.endMs === null && failure === null && !use.hasResult ? 'open' : 'ran';
}

export function isRefusal(text: string): boolean {
  return REFUSED.test(text.slice(0, READ_CHARACTERS));
}

function hasFailedCode(text: string): boolean {
  return /<returncode>[1-9]|exit(?:ed with)?(?: code| status)?:? [1-9]/i.test(text);
}
