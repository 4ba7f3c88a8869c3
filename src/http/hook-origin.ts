import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../core/app-error.ts';
import type { RecordsOrigin } from '../features/coding-agents/coding-agent.service.ts';
import { timeOf } from '../formats/hooks/hook-event.ts';
import { HOOK_FRAMEWORKS, type HookFramework } from '../formats/hooks/hook-framework.ts';

/** Headers of hook records, whose body has the agent's own format and cannot contain them. */
export const AGENT_HEADER = 'X-SVC-Agent';
export const RECEIVED_HEADER = 'X-SVC-Received-At';

/** @throws AppError `malformed` for an unknown header value */
export function originOf(headers: IncomingHttpHeaders): RecordsOrigin {
  return { agent: agentIn(headers), receivedAtMs: receivedAtIn(headers) };
}

function agentIn(headers: IncomingHttpHeaders): HookFramework | null {
  const agentHeader = headers[AGENT_HEADER.toLowerCase()];
  if (agentHeader === undefined) return null;
  const agent = HOOK_FRAMEWORKS.find((framework) => framework === agentHeader);
  if (agent === undefined)
    throw new AppError('malformed', `${AGENT_HEADER} must be one of ${HOOK_FRAMEWORKS.join(', ')}.`);
  return agent;
}

function receivedAtIn(headers: IncomingHttpHeaders): number | null {
  const text = headers[RECEIVED_HEADER.toLowerCase()];
  if (text === undefined) return null;
  const atMs = typeof text === 'string' ? timeOf(/^\d{1,15}$/.test(text) ? Number(text) : text) : null;
  if (atMs === null)
    throw new AppError('malformed', `${RECEIVED_HEADER} must be an RFC 3339 time or Unix milliseconds.`);
  return atMs;
}
