/** The project's own attribute keys: what no public convention has a name for. */
export const MISSTEP = {
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
} as const;
