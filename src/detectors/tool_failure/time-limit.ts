import type { Failure } from './failure.ts';
import type { Waited } from './waited-for.ts';

const DURATION = /\b(\d{1,9}(?:\.\d{1,6})?) ?(ms|milliseconds?|s|sec|seconds?|min|minutes?)\b/;

export interface TimeLimit {
  /** As the error writes it. */
  text: string;
  seconds: number;
}

/** The duration that the error of a timeout names; null if it names none. */
export function limitOf({ text }: Pick<Failure, 'text'>): TimeLimit | null {
  const [found, digits, unit] = DURATION.exec(text.message) ?? [];
  if (found === undefined) return null;
  const factor = unit!.startsWith('min') ? 60 : unit === 'ms' || unit!.startsWith('milli') ? 0.001 : 1;
  return { text: found, seconds: Number(digits) * factor };
}

/** The pause of a step that does not fit into a limit, such as `20 seconds`; null for other steps. */
export function pauseOver(waited: Waited | null, limit: TimeLimit | null): string | null {
  const seconds = (waited?.pauseMs ?? 0) / 1000;
  if (limit === null || seconds <= limit.seconds) return null;
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}
