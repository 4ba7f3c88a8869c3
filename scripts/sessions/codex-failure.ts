import { ProcessStarts } from './codex-process.ts';
import { contentText, type Fields, fieldsOf, listOf, textOf } from './json-value.ts';

export interface CodexFailures {
  /** Call ids, of policy refusals as well. */
  failed: Set<string>;
  policy: Set<string>;
  refused: Set<string>;
  /** Failed because the agent itself sent Ctrl-C. */
  stopped: Set<string>;
  /** Calls that started a process whose failure a later poll reported. A reader may mark them as well. */
  started: Set<string>;
  /** Without any exit code, but the output ends with a runner's own line of failure. */
  bySummary: Set<string>;
}

// Codex stores no error flag with a result. The wrapper that it writes before the output, or the result object that a script
// of code mode prints, holds the exit code. The output itself is not interpreted.
const USER_REFUSED = /rejected by (the )?user|user (rejected|declined|denied)/i;
const POLICY = /rejected: .{0,400}(not permitted|blocked|forbidden)|approval policy|blocked by (the )?policy/is;
const FAILED_EXEC_HEADER = /^[^\n]*(\n[^\n]*){0,4}\nProcess exited with code (-?\d+)/;
const PATCH_HEADER = /^Exit code: (-?\d+)/;
const RUNNER_FAILED = /^(FAIL|make(\[\d+\])?: \*\*\* .{1,200} Error \d+)$/;
const PATCH_REJECTED = /^apply_patch verification failed/;

export function codexFailures(records: readonly Fields[]): CodexFailures {
  const found: CodexFailures = {
    failed: new Set(),
    policy: new Set(),
    refused: new Set(),
    stopped: new Set(),
    bySummary: new Set(),
    started: new Set(),
  };
  const calls = new Map<string, Fields>();
  const scriptsOfCells = new Map<string, string>();
  const starts = new ProcessStarts();
  const open = new Set<string>();
  for (const record of records) {
    const payload = fieldsOf(record.payload);
    const id = textOf(payload.call_id);
    if (record.type === 'event_msg') {
      markFailedMcpCall(payload, calls, open, found);
      continue;
    }
    if (record.type !== 'response_item' || id === '') continue;
    if (!textOf(payload.type).endsWith('_output')) {
      calls.set(id, payload);
      open.add(id);
      continue;
    }
    open.delete(id);
    const start = starts.startOf(id, calls.get(id) ?? {}, payload);
    judge(id, calls.get(id) ?? {}, payload, scriptsOfCells, found);
    if (found.failed.has(id) && start !== id) found.started.add(start);
  }
  return found;
}

function judge(id: string, call: Fields, output: Fields, scripts: Map<string, string>, found: CodexFailures): void {
  const parts =
    typeof output.output === 'string'
      ? [output.output]
      : listOf(output.output).map((part) => textOf(fieldsOf(part).text));
  const header = parts[0] ?? '';
  const text = contentText(parts);
  const script = scriptOf(call, scripts);
  const cell = /^Script running with cell ID (\S+)/.exec(header)?.[1];
  if (cell) scripts.set(cell, script);
  const failed = isFailedWrapper(header) || isFailedScript(parts.slice(1).join('\n'), script);
  if (!failed) {
    if (RUNNER_FAILED.test(lastLine(parts.slice(1))) && !hasExitCode(header, script)) found.bySummary.add(id);
    return;
  }
  if (USER_REFUSED.test(refusalText(header, text))) {
    found.refused.add(id);
    return;
  }
  found.failed.add(id);
  if (POLICY.test(refusalText(header, text))) found.policy.add(id);
  if (/\\u0003|\u0003/.test(script)) found.stopped.add(id);
}

function lastLine(parts: readonly string[]): string {
  const printed = parts.filter((part) => !/^\s*[A-Z_]{2,20}[:=]?\s*\w*\s*$/.test(part) || /^\s*FAIL\s*$/.test(part));
  return printed.join('\n').trimEnd().split('\n').at(-1) ?? '';
}

function hasExitCode(header: string, script: string): boolean {
  return /exit_code|JSON\.stringify\(r\)/.test(script) || FAILED_EXEC_HEADER.test(header);
}

/** The sentence of a refusal counts only in a script that failed; otherwise it is the output of a program. */
function refusalText(header: string, text: string): string {
  return header.startsWith('Script failed') || header.startsWith('exec_command failed') ? text : '';
}

function scriptOf(call: Fields, scripts: ReadonlyMap<string, string>): string {
  if (call.type === 'custom_tool_call') return textOf(call.input);
  const cell = /"cell_id":\s*"?(\w+)/.exec(textOf(call.arguments))?.[1];
  return cell ? (scripts.get(cell) ?? '') : textOf(call.arguments);
}

function isFailedWrapper(header: string): boolean {
  if (/^(Script failed|exec_command failed|write_stdin failed)/.test(header) || PATCH_REJECTED.test(header))
    return true;
  const before = header.split('\nOutput:')[0] ?? '';
  const code = FAILED_EXEC_HEADER.exec(before)?.[2] ?? PATCH_HEADER.exec(before)?.[1];
  return code !== undefined && Number(code) !== 0;
}

/**
 * A script prints the exit code in one of two ways: the whole result object (`"wall_time_seconds":…,"exit_code":N`, or
 * an object of its own with `exit_code`), or a template such as `EXIT=${r.exit_code}`. Inside an output string the
 * quotes are escaped, so the output's own `"exit_code"` does not match.
 */
function isFailedScript(printed: string, script: string): boolean {
  if (/"wall_time_seconds":[\d.e+-]+,"exit_code":-?[1-9]/.test(printed)) return true;
  if (/exit_code\s*:/.test(script) && /"exit_code":\s*-?[1-9]/.test(printed)) return true;
  return templatePrefixes(script).some((prefix) => printsFailure(printed, prefix));
}

function templatePrefixes(script: string): string[] {
  const prefixes = [...script.matchAll(/([\w:= -]{2,24})\$\{[\w.?[\]]{0,40}exit_code[^}]{0,40}\}/g)];
  return prefixes.map((match) => (match[1] ?? '').trim()).filter((prefix) => /[A-Za-z]/.test(prefix));
}

function printsFailure(printed: string, prefix: string): boolean {
  for (let at = printed.indexOf(prefix); at >= 0; at = printed.indexOf(prefix, at + 1))
    if (/^\s*-?[1-9]/.test(printed.slice(at + prefix.length, at + prefix.length + 8))) return true;
  return false;
}

/** An MCP call inside a script has an id of its own; its failure belongs to the script that is running. */
function markFailedMcpCall(
  event: Fields,
  calls: ReadonlyMap<string, Fields>,
  open: ReadonlySet<string>,
  found: CodexFailures,
): void {
  if (event.type !== 'mcp_tool_call_end') return;
  const result = fieldsOf(event.result);
  if (!('Err' in result) && fieldsOf(result.Ok).isError !== true) return;
  const id = textOf(event.call_id);
  const owner = calls.has(id) ? id : [...open].at(-1);
  if (owner) found.failed.add(owner);
}
