import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { type Decoded, msToNs } from '../../core/span.ts';
import type { SessionEnd } from '../../core/trace.ts';
import { contentText, countOf, objectOf, objectsIn, textOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';

const SOURCE = {
  framework: 'swe-agent',
  product: 'SWE-agent',
  scope: 'swe-agent.trajectory',
  isTimeSynthetic: true,
};

/** Whether a value is a `.traj` of SWE-agent. */
export function isSweAgentTrajectory(value: Json | undefined): value is JsonObject & { trajectory: Json[] } {
  if (!isJsonObject(value) || !Array.isArray(value.trajectory) || !isJsonObject(value.info)) return false;
  const { trajectory } = value;
  const isStep = (step: Json) => isJsonObject(step) && 'action' in step && 'observation' in step;
  return trajectory.length === 0 ? Array.isArray(value.history) : trajectory.some(isStep);
}

/**
 * One run: the task, and for each step the model's answer and its action. A trajectory has no times, so synthetic ones keep
 * the order. Its id is derived from its content.
 */
export function decodeSweAgentTrajectory(value: Json, receivedAtMs: number): Decoded {
  if (!isSweAgentTrajectory(value))
    return { spans: [], rejections: [{ pointer: '', message: 'expected a SWE-agent trajectory' }] };
  const id = createHash('sha256')
    .update(JSON.stringify([value.history ?? null, value.trajectory]))
    .digest('hex');
  let clockNs = msToNs(receivedAtMs);
  const session = new SessionBuilder(SOURCE, `swe-agent-${id.slice(0, 32)}`, clockNs);
  const info = objectOf(value.info);
  const stats = objectOf(info.model_stats);
  const task = taskIn(objectsIn(value.history));
  session.describe({
    title: titleOf(task),
    inputTokens: countOf(stats.tokens_sent) || null,
    outputTokens: countOf(stats.tokens_received) || null,
    costUsd: countOf(stats.instance_cost) || null,
  });
  if (task !== null) session.prompt('task', task, clockNs);
  const rejections: Decoded['rejections'] = [];
  for (const [at, step] of value.trajectory.entries()) {
    clockNs += 2_000_000n;
    if (isJsonObject(step) && ('action' in step || 'response' in step)) addStep(session, step, at, clockNs);
    else {
      session.reject();
      rejections.push({ pointer: `/trajectory/${at}`, message: 'must be a step with an action' });
    }
  }
  session.endWith(endOf(textOf(info.exit_status)));
  return { spans: session.spans(), rejections };
}

/** The first user message that is not a demonstration. */
function taskIn(history: readonly JsonObject[]): string | null {
  const first = history.find(({ role, is_demo }) => role === 'user' && is_demo !== true);
  return first === undefined ? null : textOf(contentText(first.content));
}

/** The first line of the issue, which the template surrounds with instructions. */
function titleOf(task: string | null): string | null {
  const text = task ?? '';
  const issue = between(text, 'ISSUE:\n', 'INSTRUCTIONS:') ?? between(text, '<pr_description>', '</pr_description>');
  const line = issue?.split('\n').find((each) => each.trim() !== '');
  return line?.trim() ?? null;
}

/** Null if the start is missing; up to the end of the text if the end is missing. */
function between(text: string, start: string, end: string): string | null {
  const from = text.indexOf(start);
  if (from < 0) return null;
  const to = text.indexOf(end, from);
  return text.slice(from + start.length, to < 0 ? text.length : to);
}

function addStep(session: SessionBuilder, step: JsonObject, at: number, timeNs: bigint): void {
  const action = (textOf(step.action) ?? '').trim();
  const state = directoryIn(step.state);
  session.describe({ directory: state, project: at === 0 ? state : null });
  const response = textOf(step.response) ?? textOf(step.thought) ?? '';
  const call = action === '' ? null : { id: `step ${at}`, name: toolOf(action), arguments: { command: action } };
  session.modelCall({
    key: `step ${at}`,
    startNs: timeNs,
    endNs: timeNs,
    model: null,
    text: textOf(step.thought) ?? response,
    calls: call === null ? [] : [call],
  });
  if (call === null) return;
  session.openCall({ ...call, timeNs, messageId: `step ${at}` });
  session.closeCall(call.id, { timeNs: timeNs + 1_000_000n, result: textOf(step.observation) ?? '' });
}

/** Older trajectories contain the state as JSON text. */
function directoryIn(state: Json | undefined): string | null {
  const read = typeof state === 'string' ? parseJson(state) : state;
  return textOf(objectOf(read).working_dir);
}

/** Commands of the agent's own interface; every other action is a shell command. */
const OWN_COMMANDS: ReadonlySet<string> = new Set([
  'open',
  'goto',
  'scroll_up',
  'scroll_down',
  'create',
  'edit',
  'insert',
  'search_dir',
  'search_file',
  'find_file',
  'submit',
  'str_replace_editor',
  'exit_forfeit',
]);

function toolOf(action: string): string {
  const [word = ''] = action.split(/\s/, 1);
  return OWN_COMMANDS.has(word) ? word : 'bash';
}

/** `submitted (exit_cost)` means that the limit was reached and the work so far was submitted. */
function endOf(status: string | null): SessionEnd {
  if (status === null) return 'unknown';
  if (/exit_(?:cost|context|total_execution_time)/.test(status)) return 'limit';
  if (/exit_(?:api|error|environment)/.test(status)) return 'api_error';
  return status.startsWith('submitted') ? 'completed' : 'unknown';
}
