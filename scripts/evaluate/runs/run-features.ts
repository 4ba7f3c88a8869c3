import type { ModelCatalog } from '../../../src/core/model-catalog.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { RUN_FEATURES, type RunFeature } from '../../../src/detectors/_kit/run-feature.ts';
import { type ToolUse, toolUses } from '../../../src/detectors/_readings/calls/calls.ts';
import { itemsIn, restOf } from '../../../src/detectors/_readings/calls/list-pages.ts';
import { submittedDiff } from '../../../src/detectors/_readings/coding/submitted-diff.ts';
import { attemptsIn } from '../../../src/detectors/_readings/conduct/attempts.ts';
import { actOf } from '../../../src/detectors/_readings/conduct/call-acts.ts';
import { codingWork, type Work } from '../../../src/detectors/_readings/conduct/coding-work.ts';
import { executions } from '../../../src/detectors/_readings/conduct/executions.ts';
import { handoffs } from '../../../src/detectors/_readings/conduct/handoffs.ts';
import { openProgress } from '../../../src/detectors/_readings/conduct/progress.ts';
import { provesTestRun } from '../../../src/detectors/_readings/conduct/test-output.ts';
import { namedFiles } from '../../../src/detectors/context_neglect/other-file.ts';
import { givenValues } from '../../../src/detectors/context_neglect/unused-values.ts';
import { answerEntities, type EntityKind } from '../../../src/detectors/grounding/answer-entities.ts';
import { onlyFailedCalls } from '../../../src/detectors/grounding/value-without-result.ts';
import { retrievalsOf } from '../../../src/detectors/retrieval_quality/retrievals.ts';
import { sightings } from '../../../src/detectors/secret_leak/sightings.ts';
import { requestedQuantities } from '../../../src/detectors/specification/changed-quantity.ts';

const MIN_REPEATABLE = 3;
/** A single snapshot or call cannot be compared. */
const MIN_COMPARABLE = 2;

type FeatureTest = (trace: Trace, models: ModelCatalog) => boolean;

const FEATURE_TESTS: Readonly<Record<RunFeature, FeatureTest>> = {
  calls: (trace) => toolUses(trace).length > 0,
  repeatable_calls: (trace) => hasSeveralOfOneTool(toolUses(trace)) || hasSeveralOfOneTool(executedIn(trace)),
  repeatable_turns: (trace) => hasSeveralTurnsOfOneAgent(trace),
  failed_calls: (trace) =>
    toolUses(trace).some(({ isError }) => isError) || trace.steps.some(({ error }) => error !== null),
  only_failed_calls: (trace) => onlyFailedCalls(trace).length > 0,
  repeated_failures: (trace) => hasSeveralOfOneTool(toolUses(trace).filter(({ isError }) => isError)),
  failed_changes: (trace) =>
    hasSeveralOfOneTool(
      toolUses(trace).filter(({ isError, changesState }) => isError && changesState),
      MIN_COMPARABLE,
    ),
  repeated_checks: (trace) => ownChecks(trace).length >= MIN_COMPARABLE,
  shell_commands: (trace) => toolUses(trace).some(({ command }) => command !== null),
  polls: (trace) => toolUses(trace).some((use) => actOf(trace, use) === 'wait'),
  open_statuses: (trace) => openProgress(trace).length > 0,
  partly_read_lists: (trace) => toolUses(trace).some(isPartOfList),
  several_models: (trace) => modelAgents(trace) > 1,
  several_agents: (trace) => trace.agents.length > 1,
  handoffs: (trace) => handoffs(trace).length > 0,
  user_turns: (trace) => userTurns(trace) > 1,
  given_values: (trace) => givenValues(trace).length > 0,
  named_files: (trace) => namedFiles(trace).length > 0,
  states: (trace) => trace.states.length >= MIN_COMPARABLE,
  checkpoints: (trace) => trace.checkpoints.length > 0,
  known_windows: hasKnownWindow,
  // Budgets and known traffic belong to a tenant; a run on its own has none.
  tenant_settings: () => false,
  graph: (trace) => trace.graph !== null,
  routes: (trace) => trace.graph !== null || trace.steps.some(({ goto }) => goto.length > 0),
  branches: (trace) => trace.steps.some(({ branches }) => branches !== undefined),
  rounds: (trace) => trace.steps.some(({ rounds }) => rounds !== undefined),
  runtime_loop_reports: (trace) => trace.steps.some(({ reportedLoop }) => reportedLoop !== undefined),
  named_models: (trace) =>
    trace.steps.some(({ kind, answeredBy, error }) => kind === 'llm' && (answeredBy !== undefined || error !== null)),
  declared_tools: (trace) => trace.toolDefinitions.length > 0,
  schemas: (trace) => trace.toolDefinitions.some(({ parameters }) => parameters !== null) && toolUses(trace).length > 0,
  documents: (trace) => retrievalsOf(trace).length > 0,
  edits: (trace) => codingWork(trace).some(({ kind }) => kind === 'edit'),
  tests: (trace) => codingWork(trace).some(({ kind }) => kind === 'suite' || kind === 'check'),
  checks: (trace) => trace.steps.some(({ kind }) => kind === 'guardrail'),
  executed_code: (trace) => executions(trace).length > 0 || toolUses(trace).some((use) => actOf(trace, use) === 'code'),
  asked_quantities: (trace) => requestedQuantities(trace).length > 1,
  credentials: (trace) => sightings(trace).length > 0,
  answer: (trace) => answerOf(trace) !== '',
  hand_in: (trace) => submittedDiff(trace) !== null,
  answer_links: (trace) => answerHas(trace, ['url']),
  answer_identifiers: (trace) => answerHas(trace, ['email', 'identifier']),
  answer_quotes: (trace) => answerHas(trace, ['quote']),
  answer_numbers: (trace) => answerHas(trace, ['number']),
};

export function featuresOf(trace: Trace, models: ModelCatalog): RunFeature[] {
  return RUN_FEATURES.filter((feature) => FEATURE_TESTS[feature](trace, models));
}

function hasSeveralOfOneTool(uses: readonly { name: string }[], least = MIN_REPEATABLE): boolean {
  return [...Map.groupBy(uses, ({ name }) => name).values()].some((own) => own.length >= least);
}

function isPartOfList(use: ToolUse): boolean {
  const { length } = itemsIn(use.resultText);
  return length >= MIN_COMPARABLE && restOf(use, length) !== null;
}

/** Code in messages, by the agent that ran it. */
function executedIn(trace: Trace): { name: string }[] {
  return attemptsIn(trace).map(({ by }) => ({ name: by }));
}

/** Commands, calls that run tests or code, and results of other tools that contain a run of tests. */
function ownChecks(trace: Trace): ToolUse[] {
  const isCheck = ({ use, kind }: Work) =>
    use.command !== null || kind === 'suite' || kind === 'check' || provesTestRun(use);
  return codingWork(trace).flatMap((work) => (isCheck(work) ? [work.use] : []));
}

function hasSeveralTurnsOfOneAgent({ steps }: Trace): boolean {
  const result = steps.filter(({ kind, output }) => output !== '' && (kind === 'llm' || kind === 'message'));
  const byAgent = Map.groupBy(result, ({ agent, name }) => agent ?? name);
  return [...byAgent.values()].some((own) => own.length >= MIN_REPEATABLE);
}

/** Agents with their own language model. */
function modelAgents(trace: Trace): number {
  return new Set(trace.steps.flatMap(({ kind, agent }) => (kind === 'llm' && agent !== null ? [agent] : []))).size;
}

function userTurns({ steps }: Trace): number {
  const messages = steps.filter(({ kind, agent, name }) => kind === 'message' && (agent ?? name) === 'user').length;
  const inModelCalls = steps.map(({ inputMessages }) => inputMessages.filter(({ role }) => role === 'user').length);
  return Math.max(messages, 0, ...inModelCalls);
}

function hasKnownWindow({ steps }: Trace, models: ModelCatalog): boolean {
  return steps.some(
    ({ kind, model, provider }) =>
      kind === 'llm' && model !== null && models.find(model, provider)?.contextWindow != null,
  );
}

function answerOf({ finalOutput }: Trace): string {
  return finalOutput ?? '';
}

function answerHas(trace: Trace, kinds: readonly EntityKind[]): boolean {
  return answerEntities(answerOf(trace)).some(({ kind }) => kinds.includes(kind));
}
