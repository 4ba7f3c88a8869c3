import type { Evidence } from '../../core/detection.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';
import { PROMPT_RULES } from '../_remedies/prompt-rules.ts';
import type { Detector, DetectorOptions, Finding } from './define.ts';
import { agentIn, fixesOf } from './detection-of.ts';
import { fixProblems } from './fix-contract.ts';
import { hasWord } from './names-in-text.ts';
import { withShownParts } from './shown-parts.ts';

/** Evidence of these kinds quotes the trace word for word; other kinds may put it in words of their own. */
const VERBATIM_KINDS = new Set(['text', 'error', 'message']);

/** What in a detector's findings breaks the contract of `define.ts`; empty where all is well. */
export function contractProblems(detector: Detector, trace: Trace, options: DetectorOptions): string[] {
  const frozen = deepFreeze(structuredClone(trace));
  const collect = () => {
    const findings: Finding[] = [];
    detector.detect(frozen, options, (finding) => findings.push(finding));
    return findings;
  };
  try {
    const findings = collect();
    const isSame = JSON.stringify(collect()) === JSON.stringify(findings);
    return [
      ...(isSame ? [] : ['answers differently when asked twice']),
      ...findings.flatMap((finding) => findingProblems(detector, frozen, finding)),
    ];
  } catch (error) {
    return [`throws, perhaps for changing the trace: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function findingProblems(detector: Detector, trace: Trace, finding: Finding): string[] {
  const isStep = (step: number) => trace.steps[step] !== undefined;
  const checks: [boolean, string][] = [
    [detector.subtypes[finding.subtype] !== undefined, 'has a subtype that is not declared'],
    [finding.score >= 0 && finding.score <= 1, `has score ${finding.score}`],
    [finding.steps.length > 0 && finding.steps.every(isStep), 'names steps that do not exist'],
    [finding.step === null || isStep(finding.step), 'has a decisive step that does not exist'],
    [finding.explanation.length >= 40, 'explains too little'],
    [namesSomething(trace, finding), 'explains without naming a tool, agent, node, model or field'],
    [/^[A-Z].*[.!]$/s.test(finding.suggestedAction), 'has an action that is no sentence'],
    [finding.key.trim() !== '', 'has no key'],
    [finding.evidence.length > 0, 'has no evidence'],
    [finding.fixes.length > 0, 'has no fix'],
    [finding.fixes.every((fix) => fix.description.length >= 20 && fix.rationale !== ''), 'has a fix that says nothing'],
    [(finding.wastedTokens ?? 0) >= 0 && (finding.wastedCostUsd ?? 0) >= 0, 'wastes less than nothing'],
  ];
  const isPlaced = finding.steps.length > 0 && [finding.step ?? 0, ...finding.steps].every(isStep);
  const isKnown = detector.subtypes[finding.subtype] !== undefined;
  const broken = checks.filter(([holds]) => !holds).map(([, problem]) => problem);
  return [
    ...broken,
    ...(isPlaced && isKnown ? problemsOfFixes(detector, trace, finding) : []),
    ...finding.evidence.flatMap((evidence) => evidenceProblems(trace, evidence)),
  ].map((problem) => `${finding.subtype} ${problem}`);
}

/** As the trace came, and as it would be with prompts and tools shown: there, what a prompt can mend has a patch. */
function problemsOfFixes(detector: Detector, trace: Trace, finding: Finding): string[] {
  const agent = agentIn(trace, finding);
  const shown = withShownParts(trace);
  const fixes = fixesOf(detector, shown, finding, agent);
  const isPatched = fixes.some(({ changes }) => changes.some(({ format }) => format !== 'text'));
  const isMendable = Boolean(PROMPT_RULES[`${detector.type}/${finding.subtype}`]);
  return [
    ...fixProblems(trace, fixesOf(detector, trace, finding, agent)),
    ...fixProblems(shown, fixes),
    ...(isMendable && !isPatched ? ['has no fix that patches a prompt or tool that the trace shows'] : []),
  ];
}

function evidenceProblems(trace: Trace, { kind, spanId, quote }: Evidence): string[] {
  const step = trace.steps.find((candidate) => candidate.spanId === spanId);
  if (step === undefined) return [`has evidence on span ${spanId}, which does not exist`];
  if (quote === null || !VERBATIM_KINDS.has(kind)) return [];
  const wanted = squeezed(quote.replace(/…$/, ''));
  const isThere = textsOf(trace, step).some((text) => squeezed(text).includes(wanted));
  return isThere ? [] : [`quotes what step ${step.index} does not say: ${quote.slice(0, 80)}`];
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
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

/** The value as JSON and each text inside it as it stands. */
function valueTexts(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [JSON.stringify(value), ...value.flatMap(valueTexts)];
  if (!isJsonObject(value)) return [String(value)];
  return [JSON.stringify(value), ...Object.values(value).flatMap(valueTexts)];
}

function namesSomething(trace: Trace, finding: Finding): boolean {
  const names = trace.steps.flatMap((step) => [step.name, step.agent, step.node, step.tool?.name, step.model]);
  const fields = trace.states.flatMap(({ state }) => (isJsonObject(state) ? Object.keys(state) : []));
  return [...names, ...fields].some((name) => name && hasWord(finding.explanation, name));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
