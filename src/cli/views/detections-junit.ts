import { escapeHtml } from '../../core/escape-html.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { confidenceWithEvidence } from './confidence.ts';
import { printable, printableName, printableParagraph } from './printable.ts';
import { type FailOn, placeOf, type TraceDetections } from './trace-detections.ts';

/**
 * JUnit XML as CI servers read it: a suite per trace, a case per detector. A detection at or above `failOn`
 * fails its case, a weaker one is output, and a detector that could not run is skipped.
 */
export function detectionsJunit(all: readonly TraceDetections[], failOn: FailOn): string {
  const suites = all.map((traceDetections) => suite(traceDetections, failOn));
  const total = (name: keyof Tally) => suites.reduce((sum, { tally }) => sum + tally[name], 0);
  const counts = attributes({
    tests: total('tests'),
    failures: total('failures'),
    errors: total('errors'),
    skipped: total('skipped'),
  });
  const body = suites.map(({ xml }) => xml).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="misstep" ${counts}>\n${body}\n</testsuites>\n`;
}

interface Tally {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
}

interface Case {
  name: string;
  outcome: 'passed' | 'failures' | 'errors' | 'skipped';
  content: string;
}

function suite(traceDetections: TraceDetections, failOn: FailOn): { xml: string; tally: Tally } {
  const cases = casesOf(traceDetections, failOn);
  const number = (outcome: Case['outcome']) => cases.filter((testCase) => testCase.outcome === outcome).length;
  const tally = {
    tests: cases.length,
    failures: number('failures'),
    errors: number('errors'),
    skipped: number('skipped'),
  };
  const { trace, source } = traceDetections;
  const name = source === null ? `${printableName(trace.name)} ${trace.trace_id}` : `${source} ${trace.trace_id}`;
  const head = attributes({ name, ...tally, ...(trace.started_at === null ? {} : { timestamp: trace.started_at }) });
  const lines = cases.map((testCase) => caseXml(testCase, trace.framework));
  return { xml: [`  <testsuite ${head}>`, ...lines, '  </testsuite>'].join('\n'), tally };
}

function casesOf({ detections, judged, notApplicable, crashed, steps }: TraceDetections, failOn: FailOn): Case[] {
  const found = detections.map((detection): Case => {
    const isFailure = failOn !== 'never' && isAtLeast(detection.severity, failOn);
    const text = report(detection, printableName(placeOf(detection, steps)));
    const message = attributes({ message: printableName(detection.title), type: detection.severity });
    return {
      name: `${detection.detection_type}/${detection.subtype} ${printableName(placeOf(detection, steps))}`,
      outcome: isFailure ? 'failures' : 'passed',
      content: isFailure
        ? `<failure ${message}>${escaped(text)}</failure>`
        : `<system-out>${escaped(text)}</system-out>`,
    };
  });
  const types = new Set<string>(detections.map((detection) => detection.detection_type));
  const clean = (judged ?? []).filter((type) => !types.has(type));
  const rest: Case[] = [
    ...clean.map((type): Case => ({ name: type, outcome: 'passed', content: '' })),
    ...notApplicable.map(
      ({ type, why }): Case => ({
        name: type,
        outcome: 'skipped',
        content: `<skipped ${attributes({ message: why })}/>`,
      }),
    ),
    ...crashed.map(
      ({ type, message }): Case => ({ name: type, outcome: 'errors', content: `<error ${attributes({ message })}/>` }),
    ),
  ];
  const cases = [...found, ...rest];
  return cases.length > 0 ? cases : [{ name: 'no failures found', outcome: 'passed', content: '' }];
}

function report(detection: DetectionRecord, place: string): string {
  const quotes = detection.evidence.flatMap(({ quote }) => (quote === null ? [] : [`- ${printableParagraph(quote)}`]));
  const head = `${detection.severity} at ${place}, ${detection.agent_kind ?? 'agent'} ${printableName(detection.agent_id ?? 'unknown')}, ${confidenceWithEvidence(detection)}`;
  return [
    head,
    printableParagraph(detection.explanation),
    ...quotes,
    `Fix: ${printableParagraph(detection.suggested_action)}`,
  ].join('\n');
}

function caseXml({ name, content }: Case, classname: string): string {
  const head = `    <testcase ${attributes({ name, classname: `misstep.${classname}` })}`;
  return content === '' ? `${head}/>` : `${head}>${content}</testcase>`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join(' ');
}

/** Control characters were escaped before, because XML 1.0 forbids them even as character references. */
function escaped(text: string): string {
  return escapeHtml(printable(text).replace(/[\ufffe\uffff]/g, '\ufffd'));
}
