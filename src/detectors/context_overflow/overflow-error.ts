import type { Step, Trace } from '../../core/trace.ts';
import { isContextOverflow } from '../_readings/calls/run-errors.ts';

/** Finish reason for a full window, as used by Anthropic and others. */
const FULL_WINDOW = /context_window_exceeded|context_length/i;

export interface Overflow {
  step: Step;
  /** Error message or finish reason of the provider. */
  errorText: string;
  isError: boolean;
  /** Requested and allowed tokens, if the message names them. */
  requested: number | null;
  allowed: number | null;
}

/** Calls that a provider rejected or truncated because the context was full. An error that parent spans repeat counts once. */
export function findOverflows(trace: Trace): Overflow[] {
  const failed = trace.steps.filter(isOverflowError);
  const repeated = new Set(failed.map((step) => step.parent));
  const errors = failed.filter((step) => !repeated.has(step.index)).map(overflowOf);
  const full = trace.steps
    .filter((step) => step.finishReasons.some((reason) => FULL_WINDOW.test(reason)))
    .map((step) => ({
      step,
      errorText: step.finishReasons.join(', '),
      isError: false,
      requested: null,
      allowed: null,
    }));
  return [...errors, ...full].sort((a, b) => a.step.index - b.step.index);
}

function isOverflowError(step: Step): boolean {
  return step.error !== null && step.kind !== 'tool' && isContextOverflow(step.error);
}

function overflowOf(step: Step): Overflow {
  const message = step.error?.message || step.error?.type || '';
  const numbers = [...message.matchAll(/\d[\d,]{3,12}/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
  const [a, b] = [Math.max(...numbers.slice(0, 2)), Math.min(...numbers.slice(0, 2))];
  const areBoth = numbers.length >= 2 && a > b;
  return { step, errorText: message, isError: true, requested: areBoth ? a : null, allowed: areBoth ? b : null };
}
