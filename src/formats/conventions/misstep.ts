import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import type { RetrievedDocument, StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { placedRejections } from '../misstep/rejected-records.ts';
import { asCount, jsonOrText, textAt, textsAt } from './attribute-values.ts';
import { codingFacts } from './coding-facts.ts';
import type { StepFacts } from './step-facts.ts';

const STEP_KINDS: readonly StepKind[] = [
  'llm',
  'tool',
  'agent',
  'chain',
  'retrieval',
  'embedding',
  'guardrail',
  'message',
  'other',
];

/** The project's own `misstep.*` keys, written by its decoders of formats without spans (records, hooks and others). */
export function readMisstep(span: Span): Partial<StepFacts> | null {
  const { attributes } = span;
  const directory = fieldIfKnown('workingDirectory', textAt(attributes, MISSTEP.workingDirectory));
  const kind = STEP_KINDS.find((known) => known === attributes[MISSTEP.stepKind]);
  const coding = codingFacts(attributes);
  const rejected = fieldIfKnown('rejectedRecords', rejectedIn(attributes));
  // Spans of standard conventions also carry these, for example a tool call with its exit code.
  if (kind === undefined) return nullIfEmpty({ ...directory, ...coding, ...rejected });
  const goto = textsAt(attributes, MISSTEP.goto);
  return {
    kind,
    ...directory,
    ...fieldIfKnown('framework', textAt(attributes, MISSTEP.framework)),
    ...fieldIfKnown('task', textAt(attributes, MISSTEP.task)),
    ...fieldIfKnown('sessionId', textAt(attributes, MISSTEP.sessionId)),
    ...fieldIfKnown('costUsd', asCount(attributes[MISSTEP.costUsd])),
    ...fieldIfKnown('stateAfter', stateIn(attributes[MISSTEP.state])),
    ...fieldIfKnown('documents', documentsIn(attributes[MISSTEP.documents])),
    ...coding,
    ...rejected,
    ...(goto.length > 0 ? { goto } : {}),
    ...(attributes[MISSTEP.isTimeSynthetic] === true ? { isTimeSynthetic: true } : {}),
    ...(typeof attributes[MISSTEP.turnRole] === 'string' ? { isTurn: true } : {}),
  };
}

function nullIfEmpty(facts: Partial<StepFacts>): Partial<StepFacts> | null {
  return Object.keys(facts).length === 0 ? null : facts;
}

/** Omits keys without a value: a key with `undefined` would hide the value of another reader. */
function fieldIfKnown<K extends keyof StepFacts>(key: K, value: StepFacts[K] | undefined): Partial<StepFacts> {
  return value === undefined ? {} : ({ [key]: value } as Partial<StepFacts>);
}

function rejectedIn(attributes: Attributes): StepFacts['rejectedRecords'] | undefined {
  const placed = placedRejections(attributes);
  if (placed !== undefined) return placed;
  const count = asCount(attributes[MISSTEP.recordsRejected]);
  const afterMs = asCount(attributes[MISSTEP.recordsRejectedAfterMs]);
  return count === undefined || count === 0 || afterMs === undefined ? undefined : { count, afterMs };
}

function stateIn(value: AttributeValue | undefined): Json | undefined {
  return typeof value === 'string' ? jsonOrText(value) : undefined;
}

function documentsIn(value: AttributeValue | undefined): RetrievedDocument[] | undefined {
  const list = typeof value === 'string' ? parseJson(value) : undefined;
  return Array.isArray(list) ? list.flatMap(documentIn) : undefined;
}

function documentIn(value: Json): RetrievedDocument[] {
  if (!isJsonObject(value) || typeof value.content !== 'string') return [];
  const { id, content, score } = value;
  return [{ id: typeof id === 'string' ? id : null, content, score: typeof score === 'number' ? score : null }];
}
