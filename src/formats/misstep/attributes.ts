import { MEASURED_TIME, SPAN_PART } from '../../core/merge-spans.ts';

/** The project's own attribute keys: what no public convention has a name for. */
export const MISSTEP = {
  isTimeMeasured: MEASURED_TIME,
  spanPart: SPAN_PART,
  framework: 'misstep.framework',
  task: 'misstep.task',
  sessionId: 'misstep.session.id',
  recordId: 'misstep.record.id',
  /** One of core's `StepKind`. */
  stepKind: 'misstep.step.kind',
  /** Zero-based position in the foreign record the span was made from; made-up spans carry their origin's. */
  stepIndex: 'misstep.step.index',
  /** True where start and end were made up to keep the order: they say nothing about duration. */
  isTimeSynthetic: 'misstep.time.is_synthetic',
  /** True where the span itself was read out of another step's text. */
  isSpanSynthetic: 'misstep.span.is_synthetic',
  /** The span stands for a run whose sender has none. */
  isRootSynthetic: 'misstep.root.is_synthetic',
  /** True where no record says when the span ended: its end is the last time known of what is in it. */
  isEndAssumed: 'misstep.span.is_end_assumed',
  /** JSON text of the workflow's state after the step. */
  state: 'misstep.state',
  /** Names of the agents or nodes that a step handed control to. */
  goto: 'misstep.goto',
  /** JSON text of a list of `{id, content, score}`. */
  documents: 'misstep.documents',
  /** On a conversation's first turn: the format it was sent in. */
  conversationFormat: 'misstep.conversation.format',
  /** On every turn of a conversation: the role as sent, and who spoke. */
  turnRole: 'misstep.turn.role',
  turnParticipant: 'misstep.turn.participant',
  workingDirectory: 'misstep.working_directory',
  costUsd: 'misstep.cost_usd',
  /** What took the place of a failed step's result: `default_value`, `fail_branch`, `other_model`. */
  takenOverBy: 'misstep.taken_over_by',
  /** Zero-based round of the step around it. */
  round: 'misstep.round',
  /** Of a step that runs others over and over: `items` or `loop`; then the counts, and whether a condition ended it early. */
  roundsKind: 'misstep.rounds.kind',
  roundsPlanned: 'misstep.rounds.planned',
  roundsRun: 'misstep.rounds.run',
  roundsReturned: 'misstep.rounds.returned',
  roundsLeftEarly: 'misstep.rounds.left_early',
  /** JSON text of a list of `{path, setting, alike}`: fields that a step asks for and that no item of its input has. */
  missingFields: 'misstep.missing_fields',
  /** `trace_type` of a coding agent's record, as sent. */
  traceType: 'misstep.trace_type',
  /** Of a coding agent's session, on its root span: the title a person would give it. */
  sessionTitle: 'misstep.session.title',
  /** Root folder of the project that the session worked on. */
  sessionProject: 'misstep.session.project',
  sessionBranch: 'misstep.session.branch',
  /** How the session ended: one of core's `SessionEnd`. */
  sessionEndedBy: 'misstep.session.ended_by',
  /** True on a session's root that spans of telemetry report: only another source says how it ended. */
  isSpanSession: 'misstep.session.is_from_spans',
  /** Session that this one was forked from, or that started it as a subagent. */
  sessionParentId: 'misstep.session.parent_id',
  /** How the agent's program asked for permission: `default`, `plan`, `bypassPermissions`, as it calls it. */
  permissionMode: 'misstep.session.permission_mode',
  /** On a tool call that started a subagent: the subagent's id within the session. */
  subagentId: 'misstep.subagent.id',
  /** True on a span of a coding agent's own bookkeeping: no step of a run. */
  isBookkeeping: 'misstep.is_bookkeeping',
  /** True or false as the tool's own program flagged the result. Omitted if the program flags nothing. */
  toolIsError: 'misstep.tool.is_error',
  /** Exit code of the command that the tool ran. */
  toolExitCode: 'misstep.tool.exit_code',
  /** Who refused the call: `user`, `policy` or `harness`; the reason in their words. */
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
  /** Of a hook call without ids: `start`, `part` or `end` of a step, which is joined with its other parts by order. */
  hookHalf: 'misstep.hook.half',
} as const;
