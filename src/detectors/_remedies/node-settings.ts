import type { Fix } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { NodeRemedy, SubtypeInfo } from '../_kit/manifest.ts';
import { jsonPatched, type PatchOperation } from '../_kit/patch.ts';

/** The detection that a remedy applies to, and what its manifest says about remedies. */
export interface Remedied extends Pick<SubtypeInfo, 'title' | 'promptRule' | 'toolNote' | 'nodeRemedy'> {
  agent: string | null;
  /** Decisive step; null if the detection is about the whole run. */
  step: number | null;
  steps: readonly number[];
  fixes: readonly Fix[];
}

const RETRY: Readonly<Record<string, Json>> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 2_000 };
const ERROR_OUTPUT: Readonly<Record<string, Json>> = { onError: 'continueErrorOutput' };

/** Members of an n8n node (docs.n8n.io, node settings). */
const SETTINGS: Readonly<Record<NodeRemedy, Readonly<Record<string, Json>>>> = {
  retry: RETRY,
  error_output: ERROR_OUTPUT,
  retry_and_error_output: { ...RETRY, ...ERROR_OUTPUT },
};

/** Settings of the failed n8n node; null in other frameworks, and if no setting helps. */
export function nodeSettingsFix(trace: Trace, { nodeRemedy, step, steps }: Remedied): Fix | null {
  const failed = trace.steps[step ?? steps[0]!]!;
  const name = failed.node ?? failed.name;
  const node = trace.graph?.nodes.find((each) => each.name === name);
  if (trace.framework !== 'n8n' || nodeRemedy === undefined || node === undefined) return null;
  const settings = SETTINGS[nodeRemedy];
  const members = Object.entries(settings);
  const operations = members.map(([member, value]): PatchOperation => ({ op: 'add', path: `/${member}`, value }));
  const isRetry = nodeRemedy === 'retry';
  return {
    fixType: isRetry ? 'retry_policy' : 'workflow_change',
    title: isRetry ? `Let n8n retry the node ${name}` : `Give the node ${name} an error output`,
    description: `Set ${members.map(([member, value]) => `${member} = ${JSON.stringify(value)}`).join(', ')} in the settings of the node ${name}${isRetry ? '' : ', and connect its error output to a node that handles the failure'}.`,
    rationale: isRetry
      ? 'A failure that passes by itself should not end the execution.'
      : 'Without an error output one failed item ends the execution.',
    confidence: isRetry ? 0.6 : 0.5,
    risk: isRetry ? 'low' : 'medium',
    changes: [jsonPatched(`node ${name}`, { name: node.name, type: node.type }, operations)],
    isBreaking: false,
    requiresTesting: true,
  };
}
