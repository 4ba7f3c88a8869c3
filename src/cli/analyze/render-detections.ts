import { DETECTORS } from '../../detectors/registry.ts';
import { detectionsJson } from '../views/detections-json.ts';
import { detectionsJunit } from '../views/detections-junit.ts';
import { detectionsMarkdown } from '../views/detections-markdown.ts';
import { detectionsSarif } from '../views/detections-sarif.ts';
import { detectionsText, type TextOptions } from '../views/detections-text.ts';
import type { FailOn, TraceDetections } from '../views/trace-detections.ts';

export const DETECTION_FORMATS = ['text', 'json', 'markdown', 'sarif', 'junit'] as const;
export type DetectionFormat = (typeof DETECTION_FORMATS)[number];

export interface RenderOptions extends TextOptions {
  format: DetectionFormat;
  failOn: FailOn;
  version: string;
}

export function renderDetections(all: readonly TraceDetections[], options: RenderOptions): string {
  switch (options.format) {
    case 'text':
      return detectionsText(all, options);
    case 'json':
      return detectionsJson(all);
    case 'markdown':
      return detectionsMarkdown(all);
    case 'sarif':
      return detectionsSarif(all, sarifRules(), options.version);
    case 'junit':
      return detectionsJunit(all, options.failOn);
  }
}

function sarifRules() {
  return DETECTORS.map(({ detector: { type, title, failureModes } }) => ({ type, title, failureModes }));
}
