import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { SessionEnd } from '../../core/trace.ts';
import type { CodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import { dollars, duration } from '../views/amounts.ts';

const ENDS: Readonly<Record<SessionEnd, string>> = {
  completed: 'completed',
  interrupted: 'interrupted',
  refused: 'refused',
  api_error: 'API error',
  limit: 'limit',
  unknown: 'unknown',
};

/** Placeholder for a figure that is unknown until the session is read in full. */
export const UNKNOWN_END = '…';

export function endLabel(end: SessionEnd | null): string {
  return end === null ? UNKNOWN_END : ENDS[end];
}

export function titleOf({ title, task }: Pick<CodingSessionRecord, 'title' | 'task'>): string {
  return title ?? task ?? '(no prompt)';
}

/** `$1.20`, `≥ $1.20` if a model has no known price or its usage is incomplete, `unknown` if no model has a known price. */
export function costText({
  cost_usd,
  unpriced_models,
  partial_usage_calls,
  failures,
}: Pick<CodingSessionRecord, 'cost_usd' | 'unpriced_models' | 'partial_usage_calls' | 'failures'>): string {
  if (cost_usd === null) return unpriced_models.length > 0 ? 'unknown' : failures === null ? UNKNOWN_END : '–';
  return unpriced_models.length > 0 || (partial_usage_calls ?? 0) > 0 ? `≥ ${money(cost_usd)}` : money(cost_usd);
}

/** Two decimals from one cent, four below. */
export function money(amount: number): string {
  if (amount === 0) return '$0';
  return amount >= 0.01 ? `$${amount.toFixed(2)}` : dollars(amount);
}

/** Without seconds from one minute: `45 s`, `12 min`, `3 h 05 min`, `2 d 4 h`. */
export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  return duration(ms);
}

/** `2026-01-31 09:05` in the time zone of the machine. */
export function localTime(rfc3339: string): string {
  const time = new Date(rfc3339);
  return `${dateText(time)} ${clockText(time)}`;
}

/** `09:05`. */
export function clockTime(rfc3339: string): string {
  return clockText(new Date(rfc3339));
}

function dateText(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

function clockText(time: Date): string {
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}

/** The project's folder with the home folder as `~`. */
export function projectText(project: string | null): string {
  if (project === null) return '(no project)';
  const home = homeFolder();
  return home !== null && project.startsWith(`${home}/`) ? `~${project.slice(home.length)}` : project;
}

export function projectName(project: string | null): string {
  return project === null ? '(no project)' : basename(project.replaceAll('\\', '/')) || project;
}

function homeFolder(): string | null {
  try {
    return process.env.HOME || homedir();
  } catch {
    return null;
  }
}

/** `1.2M`, `340k`, `812`. */
export function tokens(amount: number): string {
  if (amount >= 1e6) return `${(amount / 1e6).toFixed(1)}M`;
  return amount >= 1e3 ? `${Math.round(amount / 1e3)}k` : String(Math.round(amount));
}

const MIN_ID_CHARACTERS = 8;

/** The shortest prefixes, of eight characters or more, that distinguish these ids. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, at) => {
      const common = Math.max(sharedLength(id, sorted[at - 1] ?? ''), sharedLength(id, sorted[at + 1] ?? ''));
      return [id, id.slice(0, Math.max(MIN_ID_CHARACTERS, common + 1))];
    }),
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
