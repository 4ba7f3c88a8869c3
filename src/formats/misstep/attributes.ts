import { MEASURED_TIME, SPAN_PART } from '../../core/merge-spans.ts';

/** The project's own attribute keys, for facts without a key in public conventions. */
export const MISSTEP = {
  isTimeMeasured: MEASURED_TIME,
  spanPart: SPAN_PART,
  framework: 'misstep.framework',
  task: 'misstep.task',
  sessionId: 'misstep.session.id',
  recordId: 'misstep.record.id',
  /** One of core's `StepKind`. */
  stepKind: 'misstep.step.kind',
  /** Zero-based position in the record that the span was decoded from; synthetic spans have that of their origin. */
  stepIndex: 'misstep.step.index',
  /** True if start and end are synthetic and only keep the order: they say nothing about duration. */
  isTimeSynthetic: 'misstep.time.is_synthetic',
  /** True if the span itself was parsed from another step's text. */
  isSpanSynthetic: 'misstep.span.is_synthetic',
  /** True if the span represents a run for which the sender has no span. */
  isRootSynthetic: 'misstep.root.is_synthetic',
  /** True if no record contains the end of the span: the end is the latest known time in it. */
  isEndAssumed: 'misstep.span.is_end_assumed',
  /** JSON text of the workflow's state after the step. */
  state: 'misstep.state',
  /** Names of the agents or nodes to which a step passed control. */
  goto: 'misstep.goto',
  /** JSON text of a list of `{id, content, score}`. */
  documents: 'misstep.documents',
  /** On a conversation's first turn: the format in which it was sent. */
  conversationFormat: 'misstep.conversation.format',
  /** On every turn of a conversation: the role as sent, and the speaker. */
  turnRole: 'misstep.turn.role',
  turnParticipant: 'misstep.turn.participant',
  workingDirectory: 'misstep.working_directory',
  costUsd: 'misstep.cost_usd',
  /** Replacement for a failed step's result: `default_value`, `fail_branch`, `other_model`. */
  errorFallback: 'misstep.taken_over_by',
  /** JSON text of core's `FailureSettings`. */
  failureSettings: 'misstep.failure_settings',
  /** Zero-based round of the enclosing step. */
  round: 'misstep.round',
  /** Of a step that runs others repeatedly: `items` or `loop`; then the counts, and whether a condition ended it early. */
  roundsKind: 'misstep.rounds.kind',
  roundsPlanned: 'misstep.rounds.planned',
  roundsRun: 'misstep.rounds.run',
  roundsReturned: 'misstep.rounds.returned',
  roundsLeftEarly: 'misstep.rounds.left_early',
  /** JSON text of a list of `{path, setting, alike}`: fields that a step requests and that no item of its input has. */
  missingFields: 'misstep.missing_fields',
  /** JSON text of a list of core's `StartedRun`. */
  startedRuns: 'misstep.started_runs',
  /** JSON text of core's `FailedCode`. */
  failedCode: 'misstep.failed_code',
  /** `trace_type` of a coding agent's record, as sent. */
  traceType: 'misstep.trace_type',
  /** On the root span of a coding agent's session: its display title. */
  sessionTitle: 'misstep.session.title',
  /** Root folder of the session's project. */
  sessionProject: 'misstep.session.project',
  sessionBranch: 'misstep.session.branch',
  /** How the session ended: one of core's `SessionEnd`. */
  sessionEndedBy: 'misstep.session.ended_by',
  /** True on a session root from telemetry spans: only another source reports how it ended. */
  isSpanSession: 'misstep.session.is_from_spans',
  /** Session that this one was forked from, or that started it as a subagent. */
  sessionParentId: 'misstep.session.parent_id',
  /** Permission mode in the agent's own terms: `default`, `plan`, `bypassPermissions`. */
  permissionMode: 'misstep.session.permission_mode',
  /** On a tool call that started a subagent: the subagent's id within the session. */
  subagentId: 'misstep.subagent.id',
  /** True on a span of a coding agent's own bookkeeping, which is not a step of a run. */
  isBookkeeping: 'misstep.is_bookkeeping',
  /** Error flag that the tool's own program set; omitted if it set none. */
  toolIsError: 'misstep.tool.is_error',
  /** Exit code of the tool's command. */
  toolExitCode: 'misstep.tool.exit_code',
  /** Who refused the call: `user`, `policy` or `harness`; and their reason. */
  refusedBy: 'misstep.refused_by',
  refusalReason: 'misstep.refusal_reason',
  /** Id of the model's message that requested the call: calls of one message run in parallel. */
  messageId: 'misstep.message.id',
  /** On a compaction step: `auto` or `manual`, and the tokens in context before and after it. */
  compactionTrigger: 'misstep.compaction.trigger',
  compactionTokensBefore: 'misstep.compaction.tokens_before',
  compactionTokensAfter: 'misstep.compaction.tokens_after',
  /** Part of `gen_ai.usage.cache_creation.input_tokens` that was written with a lifetime of one hour. */
  cacheWriteHourTokens: 'misstep.usage.cache_write_1h_tokens',
  /** The sender recorded the usage before the answer ended: its output tokens are a lower bound. */
  isUsagePartial: 'misstep.usage.is_partial',
  /** On a hook call without ids: `start`, `part` or `end` of a step, which is joined with its other parts by order. */
  hookPart: 'misstep.hook.half',
  /** Language of the sender's library as `telemetry.sdk.language` names it, if the format has no resource. */
  sdkLanguage: 'misstep.sdk.language',
  /** On the root span of a session: the number of its records that were rejected. */
  recordsRejected: 'misstep.records.rejected',
  /** Newest time in the records before the last rejected one, Unix milliseconds; 0 if it precedes all that were read. */
  recordsRejectedAfterMs: 'misstep.records.rejected_after_ms',
  /** True on the root span of a session that arrives in several bodies: its rejected records are counted by place. */
  areRejectedPlaced: 'misstep.records.are_rejected_placed',
  /** Prefix of attributes with a count; the rest is the time as in `rejectedAfterMs`. */
  recordsRejectedAt: 'misstep.records.rejected_at.',
} as const;
