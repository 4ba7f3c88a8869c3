import type { Fix } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { NodeRemedy, SubtypeInfo } from '../_kit/manifest.ts';
import { jsonPatched, type PatchOperation } from '../_kit/patch.ts';

/** The detection that a remedy applies to, and what its manifest says about remedies. */
export interface Remedied extends Pick<SubtypeInfo, 'title' | 'promptRule' | 'nodeRemedy'> {
  /** Null if the note of the subtype does not apply. */
  toolNote?: string | null | undefined;
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
  stop: { onError: 'stopWorkflow' },
};

interface SettingsText {
  /** Before and after the name of the node. */
  title: readonly [string, string];
  /** What has to be connected, with a leading comma. */
  connected: string;
  rationale: string;
  confidence: number;
  risk: Fix['risk'];
}

const OUTPUT_TEXT: SettingsText = {
  title: ['Give the node', ' an error output'],
  connected: ', and connect its error output to a node that handles the failure',
  rationale: 'Without an error output one failed item ends the execution.',
  confidence: 0.5,
  risk: 'medium',
};

const TEXTS: Readonly<Record<NodeRemedy, SettingsText>> = {
  retry: {
    title: ['Let n8n retry the node', ''],
    connected: '',
    rationale: 'A failure that passes by itself should not end the execution.',
    confidence: 0.6,
    risk: 'low',
  },
  error_output: OUTPUT_TEXT,
  retry_and_error_output: OUTPUT_TEXT,
  stop: {
    title: ['Let a failure of the node', ' stop the workflow'],
    connected: '',
    rationale: 'A failed execution shows that an item is missing.',
    confidence: 0.4,
    risk: 'medium',
  },
};

/** Settings of the failed n8n node; null in other frameworks, and if no setting helps. */
export function nodeSettingsFix(
  trace: Trace,
  { nodeRemedy, step, steps }: Pick<Remedied, 'nodeRemedy' | 'step' | 'steps'>,
): Fix | null {
  const failed = trace.steps[step ?? steps[0]!]!;
  const name = failed.node ?? failed.name;
  const node = trace.graph?.nodes.find((each) => each.name === name);
  if (trace.framework !== 'n8n' || nodeRemedy === undefined || node === undefined) return null;
  const settings = SETTINGS[nodeRemedy];
  const members = Object.entries(settings);
  const operations = members.map(([member, value]): PatchOperation => ({ op: 'add', path: `/${member}`, value }));
  const shown = members.map(([member, value]) => `${member} = ${JSON.stringify(value)}`).join(', ');
  const { title, connected, rationale, confidence, risk } = TEXTS[nodeRemedy];
  return {
    fixType: nodeRemedy === 'retry' ? 'retry_policy' : 'workflow_change',
    title: `${title[0]} ${name}${title[1]}`,
    description: `Set ${shown} in the settings of the node ${name}${connected}.`,
    rationale,
    confidence,
    risk,
    changes: [jsonPatched(`node ${name}`, { name: node.name, type: node.type }, operations)],
    isBreaking: false,
    requiresTesting: true,
  };
}
