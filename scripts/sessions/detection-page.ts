import { wasteText } from '../../src/cli/views/amounts.ts';
import type { Detection, Evidence } from '../../src/core/detection.ts';
import type { Step, Trace } from '../../src/core/trace.ts';

/** A detection in a recorded session, with its context. */
export interface FoundDetection {
  file: string;
  trace: Trace;
  detection: Detection;
}

const STEPS_AROUND = 4;
const MAX_STEPS = 60;
const MAX_TEXT_LENGTH = 1_500;

/** One page in Markdown: the claim, the evidence, and the steps of the session around it. */
export function detectionPage(number: number, { file, trace, detection }: FoundDetection): string {
  const { type, subtype, severity, title, explanation, businessImpact, suggestedAction, step } = detection;
  const shown = stepsAround(trace, detection);
  return [
    `# ${number}. ${severity} ${type}/${subtype}`,
    `File: ${file}. Trace ${trace.traceId} of ${trace.framework}, ${trace.steps.length} steps, status ${trace.status}, ended by ${trace.codingSession?.endedBy ?? 'unknown'}, folder ${trace.codingSession?.project ?? 'unknown'}.`,
    `**${title}**`,
    explanation,
    `Impact: ${businessImpact}`,
    `Suggested: ${suggestedAction}`,
    `Decisive step: ${step ?? 'the whole run'}. Confidence ${detection.confidence}. Wasted: ${wasteText({ wasted_tokens: detection.wastedTokens, wasted_cost_usd: detection.wastedCostUsd }) || 'unknown or nothing'}.`,
    '## Evidence',
    ...detection.evidence.map((one) => {
      const at = trace.steps.find(({ spanId }) => spanId === one.spanId)?.index;
      return `- step ${at ?? '?'}, ${one.kind}, ${one.path ?? 'whole step'}: ${evidenceText(one)}`;
    }),
    '## Task',
    quoted(trace.task ?? '(unknown)'),
    `## Steps (${shown.length} of ${trace.steps.length})`,
    ...shown.map(stepText),
    '## Last answer',
    quoted(trace.finalOutput ?? '(none)'),
    '',
  ].join('\n\n');
}

/** Quote and value, without those that are absent. */
function evidenceText({ quote, value }: Evidence): string {
  const parts = [quote ?? '', value === null ? '' : JSON.stringify(value)];
  return parts
    .filter((part) => part !== '')
    .map(cut)
    .join(' ');
}

/** Steps of the detection, the steps around them, and the prompts of the user. */
function stepsAround({ steps }: Trace, { spanIds, evidence, step }: Detection): Step[] {
  const named = new Set([...spanIds, ...evidence.map(({ spanId }) => spanId)]);
  const places = steps.filter(({ spanId, index }) => named.has(spanId) || index === step).map(({ index }) => index);
  const near = new Set(
    places.flatMap((at) => Array.from({ length: 2 * STEPS_AROUND + 1 }, (_, by) => at - STEPS_AROUND + by)),
  );
  const chosen = steps.filter(({ index, kind }) => near.has(index) || kind === 'message');
  return chosen.length <= MAX_STEPS ? chosen : chosen.filter(({ index }) => near.has(index)).slice(0, MAX_STEPS);
}

function stepText(step: Step): string {
  const { index, kind, name, agent, status, tool, toolOutcome, refusal, error } = step;
  const head = [
    `### Step ${index}: ${kind} ${name}`,
    agent === null ? '' : `by ${agent}`,
    status === 'error' ? `failed ${error?.message ?? ''}` : '',
    toolOutcome?.exitCode == null ? '' : `exit code ${toolOutcome.exitCode}`,
    refusal === undefined ? '' : `refused by ${refusal.by} ${refusal.reason ?? ''}`,
  ];
  const texts: [string, string][] = [
    [tool === null ? 'input' : 'arguments', step.input],
    [tool === null ? 'output' : 'result', step.output],
  ];
  const result = texts.filter(([, text]) => text !== '').map(([title, text]) => `${title}:\n\n${quoted(text)}`);
  return [cut(head.filter((part) => part !== '').join(', ')), ...result].join('\n\n');
}

function quoted(text: string): string {
  return cut(text).replace(/^/gm, '    ');
}

/** Beginning and end of a long text. */
function cut(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const half = MAX_TEXT_LENGTH / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_TEXT_LENGTH} characters left out …]\n${text.slice(-half)}`;
}
