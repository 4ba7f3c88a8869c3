import type { RunRecorder } from './run-recorder.ts';

/** A synthetic run that shows one failure, or none. */
export interface DemoRun {
  name: string;
  service: string;
  scope: string;
  record(run: RunRecorder): void;
}
