import type { Step, Trace } from '../../core/trace.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { originOf, withoutFooter } from './data-origin.ts';

/** A text that came into the run from outside. */
export interface OutsideText {
  step: number;
  channel: 'user' | 'data';
  /** Tool, document or speaker, for display. */
  source: string;
  /** Path of the evidence. */
  path: string;
  text: string;
  /** Whether the text comes from the machine a coding agent works on, whose files mention prompts and tools legitimately. */
  isLocal: boolean;
}

/** Shorter than any attack. */
const MIN_LENGTH = 12;

/** Texts from tools, documents and users, without duplicates, in order. */
export function outsideTexts(trace: Trace): OutsideText[] {
  const seen = new Set<string>();
  const texts = [...userTexts(trace), ...toolTexts(trace), ...documentTexts(trace)];
  return texts
    .filter(({ text }) => text.length >= MIN_LENGTH && !seen.has(text) && seen.add(text))
    .sort((a, b) => a.step - b.step);
}

function toolTexts(trace: Trace): OutsideText[] {
  return toolUses(trace).flatMap((use): OutsideText[] => {
    const origin = originOf(trace, use);
    if (origin === 'own') return [];
    const text = withoutFooter(trace, use.resultText);
    return [
      { step: use.step, channel: 'data', source: use.name, path: 'tool.result', text, isLocal: origin === 'local' },
    ];
  });
}

function documentTexts(trace: Trace): OutsideText[] {
  return trace.steps
    .filter((step) => step.documents.length > 0)
    .flatMap((step) =>
      step.documents.map((document, at) => ({
        step: step.index,
        channel: 'data' as const,
        source: step.name,
        path: `documents.${at}`,
        text: document.content,
        isLocal: false,
      })),
    );
}

function userTexts(trace: Trace): OutsideText[] {
  const fromUserSteps = trace.steps
    .filter(isUserStep)
    .map((step) => userText(step.index, step.output || step.input, 'output'));
  if (fromUserSteps.length > 0) return fromUserSteps;
  return trace.steps.flatMap((step) =>
    step.inputMessages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => userText(step.index, content, 'input')),
  );
}

function userText(step: number, text: string, path: string): OutsideText {
  return { step, channel: 'user', source: 'user', path, text, isLocal: false };
}

/** Whether a step is a turn of the user. */
export function isUserStep(step: Step): boolean {
  return isSpokenBy(step, /^(?:user|human|customer)$/i);
}

export function isSystemStep(step: Step): boolean {
  return isSpokenBy(step, /^(?:system|developer)$/i);
}

function isSpokenBy(step: Step, role: RegExp): boolean {
  if (step.kind === 'llm' || step.kind === 'tool') return false;
  if (step.outputMessages.length > 0) return step.outputMessages.every((message) => role.test(message.role));
  return step.kind === 'message' && role.test(step.agent ?? step.name);
}
