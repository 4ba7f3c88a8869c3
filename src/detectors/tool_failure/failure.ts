import type { FailureClass, FailureReason } from '../_readings/calls/failure-cause.ts';
import type { FailureText } from '../_readings/calls/failure-text.ts';

/** One failed call of a tool, a model or a graph node. */
export interface Failure {
  step: number;
  agent: string | null;
  /** Tool, model or node. */
  name: string;
  what: 'tool' | 'model' | 'step';
  class: FailureClass;
  /** Null if the error says no more than its class. */
  reason: FailureReason | null;
  text: FailureText;
  /** Whether another detection reports it. */
  isReported: boolean;
}
