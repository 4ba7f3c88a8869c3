import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Message, Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';

/**
 * All texts of the run before or next to its last answer: task, prompts, messages, arguments and results. Texts that
 * contain the answer itself (the answering step and its enclosing spans) are omitted, but not the documents and results
 * from which the answer may be copied.
 */
export function runTexts(trace: Trace, answer: string): readonly string[] {
  const known = textsByMark(trace);
  const mark = answer.slice(0, 200);
  const texts = known.get(mark) ?? textsWithout(trace, mark);
  known.set(mark, texts);
  return texts;
}

const textsByMark = memoizeByRef((_trace: Trace) => new Map<string, readonly string[]>());

function textsWithout(trace: Trace, mark: string): string[] {
  const texts = [
    trace.task ?? '',
    ...trace.toolDefinitions.map(({ description }) => description),
    ...trace.states.map(({ state }) => jsonText(state)),
    ...trace.steps.flatMap(stepTexts),
  ];
  const others = texts.filter((text) => !text.includes(mark));
  return [...new Set([...others, ...receivedTexts(trace, mark)])].filter((text) => text !== '');
}

/**
 * Documents and results of steps before the answer. A result does not count if the call, or a model inside it, wrote the
 * text.
 */
function receivedTexts(trace: Trace, mark: string): string[] {
  const answeredAt = answeringStep(trace) ?? 0;
  const parents = new Set(trace.steps.map(({ parent }) => parent));
  return trace.steps
    .filter(({ index }) => index < answeredAt)
    .flatMap(({ index, kind, tool, output, documents }) => {
      const isWritten = kind !== 'tool' || parents.has(index) || jsonText(tool?.arguments ?? null).includes(mark);
      const results = isWritten ? [] : [output, jsonText(tool?.result ?? null)];
      return [...documents.map(({ content }) => content), ...results];
    });
}

function stepTexts(step: Step): string[] {
  return [
    step.input,
    step.output,
    jsonText(step.tool?.arguments ?? null),
    jsonText(step.tool?.result ?? null),
    step.error?.message ?? '',
    ...step.inputMessages.flatMap(messageTexts),
    ...step.outputMessages.flatMap(messageTexts),
    ...step.documents.map(({ content }) => content),
  ];
}

function messageTexts(message: Message): string[] {
  return [message.content, ...message.toolCalls.map((call) => jsonText(call.arguments))];
}

function jsonText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string'
    ? value
    : Array.isArray(value) || isJsonObject(value)
      ? JSON.stringify(value)
      : String(value);
}

/** Index of the step with the run's last answer; null if unknown. */
export function answeringStep(trace: Trace): number | null {
  const answer = trace.finalOutput?.trim() ?? '';
  if (answer === '') return null;
  const step = trace.steps.findLast(
    ({ output, kind }) => (kind === 'llm' || kind === 'message' || kind === 'agent') && output.trim() === answer,
  );
  return step?.index ?? trace.steps.findLast(({ output }) => output.trim() === answer)?.index ?? null;
}

const CUT = /(?:…|\.\.\.|\[|<)\s?\[?(?:output |text |content )?(?:truncated|elided|omitted|snipped)/i;

/** Whether a sender truncated recorded texts: a missing value may have been in the removed parts. */
export function hasCuts(texts: readonly string[]): boolean {
  return texts.some((text) => CUT.test(text));
}
