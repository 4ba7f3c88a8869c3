import type { FailureText } from '../_readings/calls/failure-text.ts';
import type { FailureClass } from './classify.ts';

/** One failed call of a tool, a model or a graph node. */
export interface Failure {
  step: number;
  agent: string | null;
  /** Tool, model or node. */
  name: string;
  what: 'tool' | 'model' | 'step';
  class: FailureClass;
  text: FailureText;
  /** Whether another detection reports it. */
  isReported: boolean;
}
