import type { Severity } from '../../core/severity.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { printableJson, printableName, printableParagraph } from './printable.ts';
import type { StepName, TraceDetections } from './trace-detections.ts';

/** A detector as a rule, from the registry. */
export interface SarifRule {
  type: string;
  title: string;
  failureModes: readonly string[];
}

const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  warning: 'warning',
  info: 'note',
  observation: 'note',
};

/** SARIF 2.1.0 (OASIS standard of 2020): one run, a rule per detector type, a result per detection. */
export function detectionsSarif(all: readonly TraceDetections[], rules: readonly SarifRule[], version: string): string {
  const ruleIds = rules.map((rule) => rule.type);
  const results = all.flatMap((traceDetections) =>
    traceDetections.detections.map((detection) => result(traceDetections, detection, ruleIds)),
  );
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'misstep', semanticVersion: version, rules: rules.map(reportingDescriptor) } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return `${printableJson(log)}\n`;
}

function reportingDescriptor(rule: SarifRule) {
  return {
    id: rule.type,
    name: rule.type.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    shortDescription: { text: rule.title },
    properties: { tags: [...rule.failureModes] },
  };
}

function result(traceDetections: TraceDetections, detection: DetectionRecord, ruleIds: readonly string[]) {
  const ruleIndex = ruleIds.indexOf(detection.detection_type);
  return {
    ruleId: detection.detection_type,
    ...(ruleIndex === -1 ? {} : { ruleIndex }),
    level: LEVELS[detection.severity],
    message: { text: messageText(`${detection.title}. ${detection.explanation} ${detection.suggested_action}`) },
    locations: [location(traceDetections, detection)],
    fingerprints: { 'misstep/identity/v1': detection.detection_id },
    partialFingerprints: { 'misstep/v1': detection.fingerprint },
    rank: Math.round(detection.confidence * 1000) / 10,
    properties: {
      subtype: detection.subtype,
      severity: detection.severity,
      confidence: detection.confidence,
      calibrated: detection.calibrated,
      failureModes: detection.failure_modes,
      traceId: detection.trace_id,
      spanIds: detection.span_ids,
      step: detection.step,
      wastedTokens: detection.wasted_tokens,
      wastedCostUsd: detection.wasted_cost_usd,
    },
  };
}

/** A trace has no lines: the location is its file, if there is one, and the agent and span as logical locations. */
function location({ source, trace, steps }: TraceDetections, detection: DetectionRecord) {
  const logicalLocations = [
    ...(detection.agent_id === null
      ? []
      : [agentPlace(trace.trace_id, detection.agent_id, detection.agent_kind ?? 'agent')]),
    ...detection.span_ids.map((spanId) => spanLocation(trace.trace_id, spanId, steps)),
  ];
  const physicalLocation = source === null ? {} : { physicalLocation: { artifactLocation: { uri: toUri(source) } } };
  return { ...physicalLocation, logicalLocations };
}

function agentPlace(traceId: string, agent: string, kind: 'agent' | 'node') {
  return { name: printableName(agent), fullyQualifiedName: printableName(`${traceId}/${agent}`), kind };
}

function spanLocation(traceId: string, spanId: string, steps: readonly StepName[]) {
  const name = steps.find((step) => step.spanId === spanId)?.name ?? spanId;
  return { name: printableName(name), fullyQualifiedName: printableName(`${traceId}/${spanId}`), kind: 'span' };
}

/** §3.11.6: in a message `[text](target)` is a link, and trace text must not create one. */
function messageText(text: string): string {
  return printableParagraph(text).replaceAll('](', '] (');
}

function toUri(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/');
}
