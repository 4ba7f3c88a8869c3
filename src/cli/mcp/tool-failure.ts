import { AppError } from '../../core/app-error.ts';
import { plainLine } from './plain-text.ts';

/** Where a caller can look up a wrong identifier. */
const HINTS: readonly [RegExp, string][] = [
  [/^There is no trace /, 'search_traces lists the traces that are stored.'],
  [/^There is no (?:coding )?session /, 'list_sessions lists the ids of sessions.'],
  [/^There is no detection /, 'list_findings lists the ids of detections.'],
  [/^There is no tenant /, 'Start misstep mcp with another --tenant; misstep tenants list shows them.'],
];

/** The error text for the model: the code, each field, the remedy. Never a stack. */
export function toolFailure(error: unknown): string {
  if (!(error instanceof AppError)) return `internal: ${plainLine(messageOf(error))}`;
  const hint = error.code === 'not_found' ? HINTS.find(([pattern]) => pattern.test(error.message))?.[1] : undefined;
  return [
    `${error.code}: ${plainLine(error.message)}`,
    ...error.errors.map(({ pointer, message }) => `${plainLine(pointer.replace(/^[?/]/, ''))}: ${plainLine(message)}`),
    ...(hint === undefined ? [] : [hint]),
    ...advice(error),
  ].join('\n');
}

function advice({ code, retryAfterSeconds }: AppError): string[] {
  if (code === 'unauthenticated' || code === 'forbidden')
    return ['Start misstep mcp with the API key of a tenant, one that may read: --api-key or MISSTEP_API_KEY.'];
  if (code === 'unreachable')
    return ['Is the server running? misstep mcp was started with --server or MISSTEP_SERVER.'];
  return retryAfterSeconds === null ? [] : [`Try again in ${retryAfterSeconds} s.`];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
