import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { maturityLevel } from '../../detectors/_runner/maturity-limit.ts';
import { adaptedFiring, firingConfidence, isEnabled, runDetectors } from '../../detectors/_runner/run.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { decodeRecord } from '../../formats/records/decode-record.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { settingsFor } from '../analysis/analyze-spans.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import type { Channel } from '../predictions/text-channel.ts';

/** What the detector does with a run in which a model reads the text. */
export interface TextInRun {
  reported: boolean;
  /** Kind of detection for the channel of the text. */
  subtype: string;
  /** Null if the detector finds nothing in the text. */
  confidence: number | null;
  /** Confidence from which the detector reports this subtype. */
  threshold: number;
  /** One sentence with the reason. */
  explanation: string;
}

interface TextInRunOptions {
  models: ModelCatalog;
  tenant: TenantDetection;
}

const SUBTYPES: Readonly<Record<Channel, string>> = { user: 'direct', data: 'indirect' };

/** Runs the injection detector, with the tenant's settings, on a run that consists of the text. */
export function textInRun(text: string, channel: Channel, { models, tenant }: TextInRunOptions): TextInRun {
  const registered = DETECTORS.find(({ detector }) => detector.type === 'injection')!;
  const trace = runWith(text, channel, models);
  const settings = settingsFor(tenant, trace.framework);
  const { detections, signals } = runDetectors(trace, { ...settings, models, detectors: [registered] });
  const subtype = SUBTYPES[channel];
  const firing =
    adaptedFiring(registered, subtype, settings)?.firing ?? firingConfidence(registered, settings, subtype);
  const found = detections.find((detection) => detection.subtype === subtype);
  const judged = {
    reported: found !== undefined && found.severity !== 'observation',
    confidence: found?.confidence ?? signals[`injection/${subtype}`] ?? null,
    threshold: Math.round((firing / settings.thresholds.confidenceScaling) * 1000) / 1000,
  };
  const { title, subtypes } = registered.detector;
  const isPreview = maturityLevel(registered, subtype, tenant.enabled.injection === true) === 'preview';
  const explanation = isEnabled(registered, tenant)
    ? explain(title, `“${subtypes[subtype]!.title}”`, judged, found, isPreview)
    : `The detector ${title} is off and reports no text.`;
  return { ...judged, subtype, explanation };
}

function explain(
  detector: string,
  subtype: string,
  { reported, confidence, threshold }: Pick<TextInRun, 'reported' | 'confidence' | 'threshold'>,
  found: Detection | undefined,
  isPreview: boolean,
): string {
  if (reported)
    return `In a run, the detector ${detector} reports this text as ${subtype} (${found!.severity}): its confidence is ${confidence}, and the threshold is ${threshold}.`;
  const silent = `In a run, the detector ${detector} does not report this text`;
  if (confidence === null) return `${silent}: it finds no instructions in it.`;
  if (confidence < threshold)
    return `${silent}: the confidence of ${subtype} is ${confidence}, and the threshold is ${threshold}.`;
  return isPreview
    ? `${silent}: ${subtype} is in preview, so the detection is stored as an observation. To report it, switch on “Report previews” on the page of this detector.`
    : `${silent}: ${subtype} is stored as an observation.`;
}

/** A run with the text as the message of a user or the result of a tool. */
function runWith(text: string, channel: Channel, models: ModelCatalog): Trace {
  const step =
    channel === 'user'
      ? { agent: 'user', name: 'user', kind: 'message', input: '', output: text }
      : { agent: 'assistant', name: 'tool', kind: 'tool', input: '', output: text };
  const { spans } = decodeRecord({ id: 'text', kind: 'trace', steps: [step] });
  return buildTrace(spans, { models, isSettled: true });
}
