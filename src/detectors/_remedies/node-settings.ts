import type { Fix } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import type { FailureSettings, Trace } from '../../core/trace.ts';
import type { NodeRemedy, SubtypeInfo } from '../_kit/manifest.ts';
import { jsonPatched, type PatchOperation } from '../_kit/patch.ts';
import { counted } from '../_kit/text.ts';

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

/** A retry that is on, as a trace reports it. */
export interface RetrySettings {
  attempts: number;
  /** Null if not reported. */
  waitMs: number | null;
}

const RETRY: Readonly<Record<string, Json>> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 2_000 };
const ERROR_OUTPUT: Readonly<Record<string, Json>> = { onError: 'continueErrorOutput' };

/** The most that n8n allows. */
const LONGEST_RETRY = { maxTries: 5, waitBetweenTries: 5_000 };

/** Members of an n8n node (docs.n8n.io, node settings) that the trace does not show as set. */
function settingsFor(nodeRemedy: NodeRemedy, { onError, ...settings }: FailureSettings): Record<string, Json> {
  const set = retryIn(settings);
  const retry = set === null ? RETRY : raisedRetry(set);
  const errorOutput = onError === 'error_output' ? {} : ERROR_OUTPUT;
  if (nodeRemedy === 'retry') return retry;
  if (nodeRemedy === 'stop') return onError === 'stop' ? {} : { onError: 'stopWorkflow' };
  return nodeRemedy === 'error_output' ? errorOutput : { ...(set === null ? RETRY : {}), ...errorOutput };
}

/** The retry that these settings contain; null if it is off or not reported. */
export function retryIn({ attempts, waitMs }: FailureSettings): RetrySettings | null {
  return attempts === undefined || attempts < 2 ? null : { attempts, waitMs: waitMs ?? null };
}

/** The members of an n8n node with a retry that can be raised; empty if all are at the limits of n8n. */
export function raisedRetry({ attempts, waitMs }: RetrySettings): { maxTries?: number; waitBetweenTries?: number } {
  const { maxTries, waitBetweenTries } = LONGEST_RETRY;
  return {
    ...(attempts < maxTries ? { maxTries } : {}),
    ...(waitMs === null || waitMs < waitBetweenTries ? { waitBetweenTries } : {}),
  };
}

/** One sentence about an n8n node with a retry. */
export function retryText({ attempts, waitMs }: RetrySettings): string {
  return `Retry On Fail is on: ${counted(attempts, 'try', 'tries')}${waitMs === null ? '' : `, ${waitMs} ms apart`}.`;
}

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

function longerText(set: RetrySettings): SettingsText {
  const isMore = 'maxTries' in raisedRetry(set);
  return {
    ...TEXTS.retry,
    title: ['Let n8n retry the node', isMore ? ' more often, with longer waits' : ' with longer waits'],
    rationale: `${retryText(set)} The node failed nevertheless.`,
  };
}

function membersOf({ attempts, waitMs }: RetrySettings): Record<string, Json> {
  return { retryOnFail: true, maxTries: attempts, ...(waitMs === null ? {} : { waitBetweenTries: waitMs }) };
}

/** Settings of the failed n8n node; null in other frameworks, and if no setting helps or all are set. */
export function nodeSettingsFix(
  trace: Trace,
  { nodeRemedy, step, steps }: Pick<Remedied, 'nodeRemedy' | 'step' | 'steps'>,
): Fix | null {
  const failed = trace.steps[step ?? steps[0]!]!;
  const name = failed.node ?? failed.name;
  const node = trace.graph?.nodes.find((each) => each.name === name);
  if (trace.framework !== 'n8n' || nodeRemedy === undefined || node === undefined) return null;
  const present = failed.failureSettings ?? {};
  const members = Object.entries(settingsFor(nodeRemedy, present));
  if (members.length === 0) return null;
  const operations = members.map(([member, value]): PatchOperation => ({ op: 'add', path: `/${member}`, value }));
  const shown = members.map(([member, value]) => `${member} = ${JSON.stringify(value)}`).join(', ');
  const set = nodeRemedy === 'retry' ? retryIn(present) : null;
  const { title, connected, rationale, confidence, risk } = set === null ? TEXTS[nodeRemedy] : longerText(set);
  return {
    fixType: nodeRemedy === 'retry' ? 'retry_policy' : 'workflow_change',
    title: `${title[0]} ${name}${title[1]}`,
    description: `Set ${shown} in the settings of the node ${name}${connected}.`,
    rationale,
    confidence,
    risk,
    changes: [
      jsonPatched(
        `node ${name}`,
        { name: node.name, type: node.type, ...(set === null ? {} : membersOf(set)) },
        operations,
      ),
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}
