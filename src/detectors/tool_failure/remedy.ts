import type { Fix, FixChange, FixType } from '../../core/detection.ts';
import type { NodeRemedy } from '../_kit/manifest.ts';
import { nodeSettingsFix } from '../_remedies/node-settings.ts';
import { configuredStep, type FailedCall } from './failed-call.ts';

/** What to change about a failure: sentences of the suggested action, and the fixes that do what the sentences say. */
export interface Remedy {
  action: string;
  /** Empty if the fixes of another remedy of the same detection contain the change. */
  fixes: readonly Fix[];
}

interface FixDraft {
  fixType: FixType;
  title: string;
  description: string;
  rationale: string;
  /** The change, or its text. */
  change: FixChange | string;
  /** 0.6 if omitted. */
  confidence?: number;
}

export function fixOf(name: string, { change, confidence = 0.6, ...draft }: FixDraft): Fix {
  return {
    ...draft,
    confidence,
    risk: 'low',
    changes: [typeof change === 'string' ? { target: name, format: 'text', before: null, after: change } : change],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** A fix that sets members of the failed n8n node; empty in other frameworks and for a node that is not declared. */
export function nodeFixes(call: FailedCall, nodeRemedy: NodeRemedy): Fix[] {
  const step = configuredStep(call);
  const fix = nodeSettingsFix(call.trace, { nodeRemedy, step, steps: [step] });
  return fix === null ? [] : [fix];
}
