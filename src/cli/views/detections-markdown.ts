import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { counted, wasteText } from './amounts.ts';
import { confidenceCell } from './confidence.ts';
import { evidenceText, repeatedText } from './evidence-text.ts';
import { printableLine, printableName, printableParagraph } from './printable.ts';
import {
  agentCell,
  leadsIntro,
  placeOf,
  rejectedText,
  type StepName,
  spanPlace,
  type TraceDetections,
  type TraceHead,
} from './trace-detections.ts';

/** For a pull request comment or a report. */
export function detectionsMarkdown(all: readonly TraceDetections[]): string {
  return `${['# Misstep report', ...all.map(traceSection)].join('\n\n')}\n`;
}

function traceSection({ trace, detections, steps, source }: TraceDetections): string {
  const rejected = rejectedText(trace.rejected_records);
  const head = [
    `## ${escaped(trace.name) || '(unnamed)'}`,
    [
      `Trace ${code(trace.trace_id)}`,
      ...(source === null ? [] : [code(source)]),
      escaped(trace.framework),
      counted(trace.span_count, 'step'),
      `status ${trace.status}`,
    ].join(' · '),
    ...(rejected === null ? [] : [rejected]),
  ];
  if (detections.length === 0) return [...head, ...emptySection(trace, steps)].join('\n\n');
  return [...head, overview(detections, steps), ...detections.map((detection) => section(detection, steps))].join(
    '\n\n',
  );
}

function emptySection(trace: TraceHead, steps: readonly StepName[]): string[] {
  const { leads } = trace;
  if (leads.length === 0) return ['No failures found.'];
  const lines = leads.map(({ step, why }) => {
    const reasons = why.length === 0 ? '' : `: ${escaped(why.join(', '))}`;
    return `* step ${step} ${code(steps[step]?.name ?? '')}${reasons}`;
  });
  return [leadsIntro(trace), lines.join('\n')];
}

function overview(detections: readonly DetectionRecord[], steps: readonly StepName[]): string {
  const rows = detections.map((detection) => [
    detection.severity,
    code(`${detection.detection_type}/${detection.subtype}`),
    escaped(printableName(agentCell(detection))),
    escaped(placeOf(detection, steps)),
    confidenceCell(detection),
  ]);
  const head = ['Severity', 'Failure', 'Agent', 'Where', 'Confidence'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function section(detection: DetectionRecord, steps: readonly StepName[]): string {
  const waste = wasteText(detection);
  const fix = detection.fixes[0];
  const evidence = detection.evidence.map((piece) => {
    return `* ${escaped(spanPlace(piece.span_id, steps))}, ${code(piece.path ?? piece.kind)}${repeatedText(piece)}: ${code(evidenceText(piece))}`;
  });
  return [
    `### ${escaped(printableName(detection.title))}`,
    escaped(detection.explanation),
    ...(evidence.length > 0 ? [evidence.join('\n')] : []),
    ...(waste === '' ? [] : [`Wasted: ${waste}.`]),
    fix
      ? `**Fix: ${escaped(fix.title)}.** ${escaped(fix.description)}`
      : `**Fix.** ${escaped(detection.suggested_action)}`,
  ].join('\n\n');
}

/** Trace text must neither create links and images nor break out of its cell. */
function escaped(text: string): string {
  return printableParagraph(text)
    .replace(/[\\`*_[\]<>|~!#&]/g, '\\$&')
    .replace(/:\/\//g, ':\u2060//')
    .replace(/@/g, '@\u2060');
}

/** A code span whose fence is longer than any run of backticks inside. */
function code(text: string): string {
  const line = printableLine(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return line === '' ? '–' : `${fence}${pad}${line}${pad}${fence}`;
}
