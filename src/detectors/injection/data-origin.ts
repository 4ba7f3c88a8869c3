import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { fileReads } from '../_readings/coding/file-reads.ts';
import { userPrompts } from '../_readings/coding/user-prompts.ts';
import { isCodingSession } from '../_readings/conduct/coding-session.ts';
import { isDelegatingTool } from '../_readings/conduct/handoffs.ts';
import { workspacesOf } from '../_readings/conduct/workspace.ts';
import { baseName, isWithin } from '../_readings/shell/file-path.ts';

/**
 * Origin of a tool result. `own`: from the agent's program, the user, or manuals opened on purpose; no outside data.
 * `local`: from the machine the agent works on, whose files mention prompts and tools legitimately, or from an agent that it gave a task. `external`: from the
 * network, from third-party packages, or unknown.
 */
export type Origin = 'own' | 'local' | 'external';

const HARNESS_TOOL =
  /^(?:task|agent|task_?(?:output|create|update|list|get|stop)|agent_?output(?:_?tool)?|write|edit|multi_?edit|notebook_?edit|str_replace\w{0,20}|apply_?patch|tool_?search|structured_?output|todo_?(?:write|read)|update_?(?:plan|todos?)|skill|slash_?command|(?:enter|exit)_?plan_?mode|ask_?user\w{0,20}|request_user_input|bash_?output|kill_?(?:shell|bash)|wait(?:_agent)?|spawn_agent|send_message|close_agent|write_stdin|report_intent|save_memory|activate_skill|list_agents|write_file|create_file|create|replace)$/i;
const NETWORK_TOOL =
  /web|fetch|http|url|browser|search_?(?:web|engine)|google|^mcp__|^mcp_|e-?mail|slack|jira|issue|pull_?request/i;
const NETWORK_COMMAND =
  /(?:^|[\s;&|(])(?:curl|wget|http|https|lynx|w3m|nc|ssh|scp|gh (?:issue|pr|api|gist|release|search|run|repo)|glab|hub|git (?:clone|fetch|pull|log|show)|npm (?:view|info)|pip download|aws|gcloud|kubectl|docker (?:logs|pull)|psql|mysql)(?=$|[\s;&|)])/;
/** Instructions and manuals for agents. */
const MANUAL =
  /(?:^|\/)(?:SKILL|CLAUDE|AGENTS?|GEMINI|QWEN|COPILOT|CONVENTIONS|CONTRIBUTING|copilot-instructions|system[-_]?prompt\w{0,20})(?:\.[\w.]{1,20})?\.mdx?$|(?:^|\/)(?:\.?(?:claude|codex|gemini|qwen|cursor|opencode|copilot|agents?|pi)|skills?|prompts?|agents|commands|plugins|rules|memory|instructions)\/|\.(?:prompt|instructions|chatmode|agent)\.md$|\.mdc$/i;
const EXTERNAL_FILE =
  /(?:^|\/)(?:node_modules|vendor|site-packages|third_party|Downloads|\.cargo\/registry|go\/pkg\/mod)\//;

export function originOf(trace: Trace, use: ToolUse): Origin {
  // Another agent of the program wrote this result. Its reports give advice.
  if (!isCodingSession(trace)) return isDelegatingTool(use.name) ? 'local' : 'external';
  if (HARNESS_TOOL.test(use.name) || use.refusal !== null) return 'own';
  if (use.command !== null) return originOfCommand(trace, use, use.command);
  const script = isJsonObject(use.arguments) ? use.arguments.javascript : undefined;
  if (typeof script === 'string') return originOfScript(script);
  if (NETWORK_TOOL.test(use.name)) return 'external';
  const files = filesAt(trace, use);
  if (files.length === 0) return isLocalTool(use) ? 'local' : 'external';
  if (files.some((file) => EXTERNAL_FILE.test(file))) return 'external';
  return files.every((file) => MANUAL.test(file) || isNamedByUser(trace, file, use.step)) ? 'own' : 'local';
}

/** A Codex script that calls tools. `ALL_TOOLS` lists the tools of the agent's own program. */
function originOfScript(script: string): Origin {
  if (/\btools\.\w{0,40}(?:web|mcp|browser|fetch|http)/i.test(script)) return 'external';
  return /\bALL_TOOLS\b/.test(script) ? 'own' : 'local';
}

function originOfCommand(trace: Trace, use: ToolUse, command: string): Origin {
  if (NETWORK_COMMAND.test(command) || EXTERNAL_FILE.test(command)) return 'external';
  const files = filesAt(trace, use);
  const isManual =
    MANUAL.test(command) || (files.length > 0 && files.every((file) => isNamedByUser(trace, file, use.step)));
  return isManual || /(?:^|\s)(?:--help|-h|man)\b/.test(command) ? 'own' : 'local';
}

const readsByStep = memoizeByRef((trace: Trace) => Map.groupBy(fileReads(trace), ({ step }) => step));

function filesAt(trace: Trace, { step }: ToolUse): string[] {
  return (readsByStep(trace).get(step) ?? []).map(({ path }) => path);
}

function isLocalTool({ name, arguments: args }: ToolUse): boolean {
  return (
    /^(?:read|view|grep|glob|ls|list|find|search|lsp|open|cat|diagnostics|get_errors)/i.test(name) && isJsonObject(args)
  );
}

/** Whether the user wrote the name of the file. */
function isNamedByUser(trace: Trace, file: string, step: number): boolean {
  const name = baseName(file);
  return name.length > 3 && userPrompts(trace).some((prompt) => prompt.step <= step && prompt.text.includes(name));
}

/** Whether a value is a path in the session folder. Agents open such files without a request. */
export function isOwnPath(trace: Trace, value: string): boolean {
  if (!isCodingSession(trace)) return false;
  const plain = value.replace(/^\/(?:home|Users)\/[^/]{1,64}(?=\/|$)/, '~');
  const folders = [...workspacesOf(trace), trace.codingSession?.project ?? ''].filter((folder) => folder !== '');
  return folders.some((folder) => isWithin(plain, folder) || isWithin(value, folder));
}

/** The request for links that Claude Code appends to search results. It is harmless in any program. */
const SOURCES_FOOTER =
  /\n{1,4}REMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks\.?\s{0,10}$/;
/** Fixed texts that the program of a coding agent appends to a result. */
const REMINDER_FOOTER =
  /\n{0,4}<system-reminder>\s{0,4}(?:Whenever you read a file|The TodoWrite tool|The task tools|This is a reminder that your todo|Your todo list|Warning: the file exists|Note: |As you answer|Plan mode|The date has changed|The user opened)[^<]{0,4000}<\/system-reminder>\s{0,10}$/;
const MAX_FOOTER_LENGTH = 5_000;

/** The text without appended fixed texts of the agent's program. */
export function withoutFooter(trace: Trace, text: string): string {
  const kept = withoutEnd(text, SOURCES_FOOTER);
  return isCodingSession(trace) ? withoutEnd(kept, REMINDER_FOOTER) : kept;
}

function withoutEnd(text: string, footer: RegExp): string {
  const from = Math.max(0, text.length - MAX_FOOTER_LENGTH);
  const found = footer.exec(text.slice(from));
  return found === null ? text : text.slice(0, from + found.index);
}
