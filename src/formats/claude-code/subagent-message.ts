import type { JsonObject } from '../../core/json.ts';
import { objectOf, textOf } from '../coding-session/fields.ts';
import { isMessageLine, type MessageLine } from './transcript-line.ts';

/**
 * The message of a subagent in a progress line of its parent's file, converted to the format of the subagent's own file.
 * Some versions record subagents like this. Null for every other line.
 */
export function messageOfSubagent(line: JsonObject): MessageLine | null {
  if (line.type !== 'progress') return null;
  const data = objectOf(line.data);
  const inner = objectOf(data.message);
  if (data.type !== 'agent_progress' || textOf(data.agentId) === null) return null;
  const { cwd, gitBranch, sessionId, forkedFrom = null } = line;
  const { type, message, uuid, requestId = null, timestamp = line.timestamp ?? null } = inner;
  const { isApiErrorMessage = null, toolUseResult = null } = inner;
  const environment: JsonObject = { cwd: cwd ?? null, gitBranch: gitBranch ?? null, forkedFrom };
  const own: JsonObject = {
    isSidechain: true,
    agentId: data.agentId ?? null,
    requestId,
    isApiErrorMessage,
    toolUseResult,
  };
  const read: JsonObject = {
    ...environment,
    ...own,
    type: type ?? null,
    message: message ?? null,
    uuid: uuid ?? line.uuid ?? null,
    sessionId: sessionId ?? null,
    timestamp,
  };
  return isMessageLine(read) ? read : null;
}
