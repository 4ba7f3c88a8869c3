import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { ToolOutput } from './tool-output.ts';

const MAX_MESSAGE_LENGTH = 1000;

/** Sets the outcome of a tool call on its span. Missing values keep the earlier ones. */
export function setOutcome(span: Span, { text, isError, exitCode, refusal, message, isTimeout }: ToolOutput): void {
  if (text !== '' || !('gen_ai.tool.call.result' in span.attributes)) span.attributes['gen_ai.tool.call.result'] = text;
  if (isError !== null) span.attributes[MISSTEP.toolIsError] = isError;
  if (exitCode !== null) span.attributes[MISSTEP.toolExitCode] = exitCode;
  if (refusal !== null) {
    span.attributes[MISSTEP.refusedBy] = refusal.by;
    span.attributes[MISSTEP.refusalReason] = refusal.reason;
  }
  if (isError !== true) return;
  span.attributes['error.type'] = refusal !== null ? 'permission_denied' : isTimeout ? 'timeout' : 'tool_error';
  span.status = { code: 2, message: (message ?? text).slice(0, MAX_MESSAGE_LENGTH) };
}

/** Appends the output that a later call polled to a command's span. */
export function addOutput(span: Span, read: ToolOutput, timeNs: bigint): void {
  const before = span.attributes['gen_ai.tool.call.result'];
  const text = [before, read.text].filter((part) => typeof part === 'string' && part !== '').join('');
  if (span.endNs === null || span.endNs < timeNs) span.endNs = timeNs;
  setOutcome(span, { ...read, text });
}
