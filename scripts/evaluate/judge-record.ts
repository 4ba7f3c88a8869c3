import type { Detection, DetectionType } from '../../src/core/detection.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { EngineSettings } from '../../src/detectors/_kit/run.ts';
import { runDetectors } from '../../src/detectors/_kit/run.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';

export interface Judgement {
  detections: Detection[];
  notApplicable: DetectionType[];
  /** What broke, by detector or `trace`. */
  crashes: { where: string; message: string }[];
  /** From record to detections. */
  ms: number;
}

/** What the engine says of one record. Its labels are taken off before anything sees it. */
export function judgeRecord(record: JsonObject, settings: EngineSettings, now: () => number): Judgement {
  const { labels: _labels, ...unlabelled } = record;
  const start = now();
  try {
    const { spans } = decodeRecord(unlabelled);
    const trace = buildTrace(spans, { models: settings.models, isSettled: true });
    const { detections, notApplicable, crashed } = runDetectors(trace, settings);
    return {
      detections,
      notApplicable: notApplicable.map(({ type }) => type),
      crashes: crashed.map(({ type, message }) => ({ where: type, message })),
      ms: now() - start,
    };
  } catch (error) {
    const message =
      error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : String(error);
    return { detections: [], notApplicable: [], crashes: [{ where: 'trace', message }], ms: now() - start };
  }
}
