import { isPlaceholderError } from '../../core/decoder-error.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import type { Failure } from './failure.ts';

/** A failure with what its remedy depends on. */
export interface FailedCall {
  trace: Trace;
  failure: Failure;
  /** Whether the trace contains a further call after a failed one. */
  isRetried: boolean;
  /** Steps of the failed calls of the group. */
  failed: readonly number[];
}

const LINE_CHARACTERS = 140;

/** The error message in one line; empty if the sender recorded none. */
export function lineOf({ text }: Failure): string {
  return isPlaceholderError(text.message) ? '' : cut(oneLine(text.message), LINE_CHARACTERS).replace(/\.$/, '');
}

/** The error message in a sentence: in quotation marks if it has the sender's words. */
export function quoteOf({ text }: Failure): string {
  return quotedError(text.message, LINE_CHARACTERS);
}

/** The node whose settings decide on retries. A model call of a workflow platform is named after its node. */
export function nodeOf(call: FailedCall): string {
  const { node, name } = call.trace.steps[configuredStep(call)]!;
  return node ?? name;
}

/**
 * The step whose node has settings for errors and retries. In n8n, a model node has none: those of the agent or chain that
 * uses it apply.
 */
export function configuredStep({ trace, failure: { what, step } }: FailedCall): number {
  const { parent } = trace.steps[step]!;
  if (trace.framework !== 'n8n' || what !== 'model' || parent === null) return step;
  const { kind, node } = trace.steps[parent]!;
  return kind === 'agent' || (kind === 'chain' && node !== null) ? parent : step;
}

/** `the node X`, if the workflow declares it. */
export function placeOf({ trace, failure }: FailedCall): string {
  const node = trace.steps[failure.step]!.node ?? failure.name;
  return trace.graph?.nodes.some((each) => each.name === node) ? `the node ${node}` : failure.name;
}

/** The program that makes the call. */
export function callerOf({ what, name }: Failure): string {
  return what === 'model' ? `the client that calls ${name}` : name;
}

/** The recorded calls of the failed tool, model or node. */
export function callsOf({ trace, failure: { what, name, agent } }: FailedCall): readonly Step[] {
  if (what === 'tool') return toolUses(trace).flatMap((use) => (use.name === name ? [trace.steps[use.step]!] : []));
  return trace.steps.filter((step) =>
    what === 'model' ? step.kind === 'llm' && step.agent === agent : (step.node ?? step.name) === name,
  );
}

/** Whether two of these calls ran at the same time. */
export function areConcurrent(calls: readonly Step[]): boolean {
  const timed = calls.filter(({ startMs, endMs }) => startMs !== null && endMs !== null);
  const sorted = timed.toSorted((one, other) => one.startMs! - other.startMs!);
  return sorted.some(
    ({ startMs }, at) => at > 0 && startMs! < Math.max(...sorted.slice(0, at).map((one) => one.endMs!)),
  );
}
