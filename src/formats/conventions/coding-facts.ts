import type { Attributes, AttributeValue } from '../../core/span.ts';
import {
  type CallRefusal,
  type CodingSession,
  type Compaction,
  REFUSED_BY,
  SESSION_ENDS,
  type ToolOutcome,
} from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { asCount, textAt } from './attribute-values.ts';
import type { StepFacts } from './step-facts.ts';

/** Facts that the decoders of coding agents record about a session, a tool call and a compaction. Absent facts have no key. */
export function codingFacts(attributes: Attributes): Partial<StepFacts> {
  const session = sessionIn(attributes);
  const toolOutcome = outcomeIn(attributes);
  const refusal = refusalIn(attributes);
  const compaction = compactionIn(attributes);
  const messageId = textAt(attributes, MISSTEP.messageId);
  const cacheWriteHourTokens = asCount(attributes[MISSTEP.cacheWriteHourTokens]);
  return {
    ...(session === null ? {} : { codingSession: session }),
    ...(toolOutcome === null ? {} : { toolOutcome }),
    ...(refusal === null ? {} : { refusal }),
    ...(compaction === null ? {} : { compaction }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(attributes[MISSTEP.isUsagePartial] === true ? { isUsagePartial: true } : {}),
    ...(cacheWriteHourTokens === undefined ? {} : { cacheWriteHourTokens }),
  };
}

/** `ended_by` marks the root span of a coding agent's session; the other fields may be missing. */
function sessionIn(attributes: Attributes): CodingSession | null {
  const end = attributes[MISSTEP.sessionEndedBy];
  const endedBy =
    SESSION_ENDS.find((known) => known === end) ?? (attributes[MISSTEP.isSpanSession] === true ? 'unknown' : undefined);
  if (endedBy === undefined) return null;
  return {
    title: textAt(attributes, MISSTEP.sessionTitle) ?? null,
    project: textAt(attributes, MISSTEP.sessionProject) ?? null,
    branch: textAt(attributes, MISSTEP.sessionBranch) ?? null,
    endedBy,
    parentId: textAt(attributes, MISSTEP.sessionParentId) ?? null,
  };
}

function outcomeIn(attributes: Attributes): ToolOutcome | null {
  const isError = attributes[MISSTEP.toolIsError];
  const exitCode = integerOrNull(attributes[MISSTEP.toolExitCode]);
  if (typeof isError !== 'boolean' && exitCode === null) return null;
  return { isError: typeof isError === 'boolean' ? isError : null, exitCode };
}

function refusalIn(attributes: Attributes): CallRefusal | null {
  const by = REFUSED_BY.find((known) => known === attributes[MISSTEP.refusedBy]);
  return by === undefined ? null : { by, reason: textAt(attributes, MISSTEP.refusalReason) ?? null };
}

function compactionIn(attributes: Attributes): Compaction | null {
  const trigger = textAt(attributes, MISSTEP.compactionTrigger) ?? null;
  const tokensBefore = asCount(attributes[MISSTEP.compactionTokensBefore]) ?? null;
  const tokensAfter = asCount(attributes[MISSTEP.compactionTokensAfter]) ?? null;
  return trigger === null && tokensBefore === null && tokensAfter === null
    ? null
    : { trigger, tokensBefore, tokensAfter };
}

/** Exit codes may be negative. */
function integerOrNull(value: AttributeValue | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}
