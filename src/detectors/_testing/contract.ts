import type { Evidence } from '../../core/detection.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft, Detector, DetectorOptions } from '../_kit/define.ts';
import { oneLine } from '../_kit/text.ts';
import { agentIn, fixesOf } from '../_runner/detection-of.ts';
import { fixProblems } from './fix-contract.ts';
import { hasWord } from './names-in-text.ts';
import { withPromptAndTools } from './prompt-and-tools.ts';

/** Evidence of these kinds quotes the trace verbatim; other kinds may paraphrase it. */
const VERBATIM_KINDS = new Set(['text', 'error', 'message']);

/** Violations of the contract of `define.ts` in the detections of a detector; empty if there are none. */
export function contractProblems(detector: Detector, trace: Trace, options: DetectorOptions): string[] {
  const frozen = deepFreeze(structuredClone(trace));
  const collect = () => {
    const drafts: DetectionDraft[] = [];
    detector.detect(frozen, options, (draft) => drafts.push(draft));
    return drafts;
  };
  try {
    const drafts = collect();
    const isSame = JSON.stringify(collect()) === JSON.stringify(drafts);
    return [
      ...(isSame ? [] : ['reports other detections when run twice']),
      ...drafts.flatMap((draft) => draftProblems(detector, frozen, draft)),
    ];
  } catch (error) {
    return [`throws, perhaps for changing the trace: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function draftProblems(detector: Detector, trace: Trace, draft: DetectionDraft): string[] {
  const isStep = (step: number) => trace.steps[step] !== undefined;
  const checks: [boolean, string][] = [
    [detector.subtypes[draft.subtype] !== undefined, 'has a subtype that is not declared'],
    [draft.score >= 0 && draft.score <= 1, `has score ${draft.score}`],
    [draft.steps.length > 0 && draft.steps.every(isStep), 'names steps that do not exist'],
    [draft.step === null || isStep(draft.step), 'has a decisive step that does not exist'],
    [draft.explanation.length >= 40, 'explains too little'],
    [namesSomething(trace, draft), 'explains without naming a tool, agent, node, model or field'],
    [/^[A-Z].*[.!]$/s.test(draft.suggestedAction), 'has an action that is not a sentence'],
    [draft.key.trim() !== '', 'has no key'],
    [draft.evidence.length > 0, 'has no evidence'],
    [draft.fixes.length > 0, 'has no fix'],
    [draft.fixes.every((fix) => fix.description.length >= 20 && fix.rationale !== ''), 'has a fix that says nothing'],
    [(draft.wastedTokens ?? 0) >= 0 && (draft.wastedCostUsd ?? 0) >= 0, 'has a negative waste'],
  ];
  const isPlaced = draft.steps.length > 0 && [draft.step ?? 0, ...draft.steps].every(isStep);
  const isKnown = detector.subtypes[draft.subtype] !== undefined;
  const broken = checks.filter(([holds]) => !holds).map(([, problem]) => problem);
  return [
    ...broken,
    ...(isPlaced && isKnown ? problemsOfFixes(detector, trace, draft) : []),
    ...draft.evidence.flatMap((evidence) => evidenceProblems(trace, evidence)),
  ].map((problem) => `${draft.subtype} ${problem}`);
}

/**
 * Checks the fixes for the trace as it is, and for the trace with prompts and tool definitions. In the latter, every fault
 * that a prompt can fix needs a patch.
 */
function problemsOfFixes(detector: Detector, trace: Trace, draft: DetectionDraft): string[] {
  const agent = agentIn(trace, draft);
  const shown = withPromptAndTools(trace);
  const fixes = fixesOf(detector, shown, draft, agent);
  const isPatched = fixes.some(({ changes }) => changes.some(({ format }) => format !== 'text'));
  const { promptRule = detector.subtypes[draft.subtype]!.promptRule } = draft;
  const hasPromptRule = Boolean(promptRule);
  return [
    ...fixProblems(trace, fixesOf(detector, trace, draft, agent)),
    ...fixProblems(shown, fixes),
    ...(hasPromptRule && !isPatched ? ['has no fix that patches a prompt or tool that the trace shows'] : []),
  ];
}

function evidenceProblems(trace: Trace, { kind, spanId, quote }: Evidence): string[] {
  const step = trace.steps.find((candidate) => candidate.spanId === spanId);
  if (step === undefined) return [`has evidence on span ${spanId}, which does not exist`];
  if (quote === null || !VERBATIM_KINDS.has(kind)) return [];
  const expected = oneLine(quote.replace(/…$/, ''));
  const isThere = textsOf(trace, step).some((text) => oneLine(text).includes(expected));
  return isThere ? [] : [`has a quote that step ${step.index} does not contain: ${quote.slice(0, 80)}`];
}

function textsOf(trace: Trace, step: Step): string[] {
  const states = trace.states.filter((snapshot) => snapshot.step === step.index);
  return [
    step.name,
    step.input,
    step.output,
    step.error?.message ?? '',
    step.error?.type ?? '',
    ...valueTexts(step.tool?.arguments ?? null),
    ...valueTexts(step.tool?.result ?? null),
    ...[...step.inputMessages, ...step.outputMessages].flatMap(messageTexts),
    ...step.documents.map((document) => document.content),
    ...states.flatMap((snapshot) => valueTexts(snapshot.state)),
  ];
}

function messageTexts(message: Message): string[] {
  return [message.content, ...message.toolCalls.flatMap((call) => valueTexts(call.arguments))];
}

/** The value as JSON, and each text inside it unescaped. */
function valueTexts(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [JSON.stringify(value), ...value.flatMap(valueTexts)];
  if (!isJsonObject(value)) return [String(value)];
  return [JSON.stringify(value), ...Object.values(value).flatMap(valueTexts)];
}

function namesSomething(trace: Trace, draft: DetectionDraft): boolean {
  const names = trace.steps.flatMap((step) => [step.name, step.agent, step.node, step.tool?.name, step.model]);
  const fields = trace.states.flatMap(({ state }) => (isJsonObject(state) ? Object.keys(state) : []));
  return [...names, ...fields].some((name) => name && hasWord(draft.explanation, name));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
