import type { EncodingName } from '../../../test/support/invariance/encodings.ts';
import type { RecordedRun } from './plain-run-of.ts';

/** What a run may contain that some encodings cannot express. */
export const CONTENTS = {
  'several agents': ({ acts }: RecordedRun) =>
    new Set(acts.filter(({ kind }) => kind !== 'message').map(({ agent }) => agent)).size > 1,
  'messages of agents': ({ acts }: RecordedRun) =>
    acts.some(({ kind, agent }) => kind === 'message' && agent !== undefined),
  'an input for each answer': ({ hasInputs }: RecordedRun) => hasInputs,
} as const;
export type Content = keyof typeof CONTENTS;

/** Facts about a run that some encodings do not report. */
export const FACTS = ['task', 'failed calls', 'tokens', 'times', 'turns after the last answer'] as const;
export type Fact = (typeof FACTS)[number];

export interface Gaps {
  /** A run with one of these is not sent. */
  contents: readonly Content[];
  /** The run is compared with its record without these. */
  facts: readonly Fact[];
}

/** User turns are in what the next answer received, and the task is the first of them. */
const MODEL_SPANS: Gaps = { contents: [], facts: ['task', 'turns after the last answer'] };
const ONE_AGENT: readonly Content[] = ['several agents', 'messages of agents'];
const CHAT: Gaps = {
  contents: [...ONE_AGENT, 'an input for each answer'],
  facts: ['task', 'failed calls', 'tokens', 'times'],
};

/**
 * The encodings that runs of the development sets are sent through, and what each of them does not carry. `record` is the
 * form of the sets themselves; protobuf has the same attributes as JSON.
 */
export const GAPS: Readonly<Partial<Record<EncodingName, Gaps>>> = {
  'misstep spans': { contents: [], facts: [] },
  'otel gen_ai': MODEL_SPANS,
  'otel gen_ai agents': MODEL_SPANS,
  'gen_ai events': MODEL_SPANS,
  'graphruntime.*': MODEL_SPANS,
  openinference: MODEL_SPANS,
  'openinference agents': MODEL_SPANS,
  traceloop: MODEL_SPANS,
  'vercel ai': { ...MODEL_SPANS, contents: ['messages of agents'] },
  'langfuse otel': { ...MODEL_SPANS, contents: ['messages of agents'] },
  langsmith: { ...MODEL_SPANS, contents: ONE_AGENT },
  'openai agents': { ...MODEL_SPANS, contents: ONE_AGENT },
  'plain spans': { contents: [], facts: ['task', 'tokens', 'turns after the last answer'] },
  conversation: CHAT,
  'openai responses': CHAT,
  'anthropic messages': { ...CHAT, facts: ['task', 'tokens', 'times'] },
};

export function canCarry({ contents }: Gaps, run: RecordedRun): boolean {
  return contents.every((content) => !CONTENTS[content](run));
}
