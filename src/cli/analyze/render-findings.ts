import { DETECTORS } from '../../detectors/registry.ts';
import { findingsJson } from '../views/findings-json.ts';
import { findingsJunit } from '../views/findings-junit.ts';
import { findingsMarkdown } from '../views/findings-markdown.ts';
import { findingsSarif } from '../views/findings-sarif.ts';
import { findingsText, type TextOptions } from '../views/findings-text.ts';
import type { FailOn, TraceFindings } from '../views/trace-findings.ts';

export const FINDING_FORMATS = ['text', 'json', 'markdown', 'sarif', 'junit'] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

export interface RenderOptions extends TextOptions {
  format: FindingFormat;
  failOn: FailOn;
  version: string;
}

export function renderFindings(all: readonly TraceFindings[], options: RenderOptions): string {
  switch (options.format) {
    case 'text':
      return findingsText(all, options);
    case 'json':
      return findingsJson(all);
    case 'markdown':
      return findingsMarkdown(all);
    case 'sarif':
      return findingsSarif(all, sarifRules(), options.version);
    case 'junit':
      return findingsJunit(all, options.failOn);
  }
}

function sarifRules() {
  return DETECTORS.map(({ detector: { type, title, failureModes } }) => ({ type, title, failureModes }));
}
