import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { type Waste, wasteOf } from '../_readings/calls/waste.ts';
import { type FailedEdit, failedEdits } from '../_readings/coding/failed-edits.ts';
import { type FailingTest, failingTests } from '../_readings/coding/failing-tests.ts';
import { type Polling, polling } from '../_readings/coding/polling.ts';
import { type UnchangedReread, unchangedRereads } from '../_readings/coding/unchanged-rereads.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { baseName } from '../_readings/shell/file-path.ts';

export type SessionSubtype = 'failing_test' | 'rejected_edits' | 'unchanged_reread' | 'polling';

/** Minimum number of test runs for a report. */
const MIN_RUNS = 4;
/** Healthy runs also leave a failing script of their own after four or five attempts. */
const MANY_RUNS = 6;
const MIN_REJECTIONS = 3;
const MIN_REREADS = 3;
const MIN_POLLS = 20;
/** Polls with this timeout are not too frequent. */
const LONG_WAIT_MS = 30_000;
const MAX_PER_KIND = 3;
const SHOWN_NAMES = 4;

/**
 * Repeated actions of coding agents, each reported as one low-severity detection with its cost.
 * @param found loops of calls; rejected edits that are all part of them are not reported again
 */
export function findSessionLoops(
  trace: Trace,
  found: readonly Pick<DetectionDraft<string>, 'steps'>[],
  models: ModelCatalog,
): DetectionDraft<SessionSubtype>[] {
  const tests = failingTests(trace).filter(({ runs }) => runs.length >= MIN_RUNS);
  return [
    ...tests.slice(0, MAX_PER_KIND).map((test) => failingTestDetection(trace, test, models)),
    ...rejectedEdits(trace, new Set(found.flatMap(({ steps }) => steps)), models),
    ...rereads(trace, models),
    ...polling(trace)
      .filter(({ steps, waitMs }) => steps.length >= MIN_POLLS && (waitMs ?? 0) < LONG_WAIT_MS)
      .slice(0, MAX_PER_KIND)
      .map((polls) => pollingDetection(trace, polls, models)),
  ];
}

function failingTestDetection(trace: Trace, test: FailingTest, models: ModelCatalog): DetectionDraft<SessionSubtype> {
  const { name, command, runs, edits, isSolved, agent } = test;
  const [first, second] = runs as [number, number];
  const waste = wasteOf(trace, [...runs.slice(1), ...edits], models);
  const what = name === null ? `The run of "${cut(oneLine(command), 100)}"` : `The test ${cut(name, 160)}`;
  const tool = trace.steps[first]!.name;
  return {
    subtype: 'failing_test',
    score: isSolved || runs.length < MANY_RUNS ? 0.5 : 0.68,
    step: second,
    steps: runs,
    agent,
    explanation: `${what} failed in ${counted(runs.length, 'run')} with ${tool} (steps ${first} to ${runs.at(-1)}), with ${counted(edits.length, 'edit')} in between${costText(waste)}. ${isSolved ? 'A later run passed.' : 'No later run of it is known to have passed.'}`,
    suggestedAction:
      'Look at the cause together with the agent after the second failure, instead of letting it try again.',
    evidence: runs.slice(0, 5).map((step) => callEvidence(trace, step, command)),
    ...waste,
    fixes: [
      ruleFix(trace, agent, {
        title: 'Stop after the second failure of the same test',
        rule: 'When the same test fails twice after your edits, stop editing: state the cause you suspect and what shows it, or ask.',
        why: `${counted(edits.length, 'edit')} did not make it pass.`,
      }),
    ],
    key: `failing test ${name ?? command}`,
  };
}

/** Rejected edits in files with several of them; else the patches of the whole session. */
function rejectedEdits(
  trace: Trace,
  known: ReadonlySet<number>,
  models: ModelCatalog,
): DetectionDraft<SessionSubtype>[] {
  const failed = failedEdits(trace);
  if (failed.length < MIN_REJECTIONS || failed.every(({ step }) => known.has(step))) return [];
  const [first] = failed as [FailedEdit];
  const steps = failed.map(({ step }) => step);
  const waste = wasteOf(trace, steps, models);
  const { agent } = trace.steps[first.step]!;
  const files = [...new Set(failed.flatMap(({ path }) => (path === null ? [] : baseName(path))))];
  const fileText = files.length === 0 ? '' : ` (${listed(files)})`;
  const malformed = failed.filter(({ isMalformed }) => isMalformed);
  const hasOthers = malformed.length < failed.length;
  const malformedText = malformed.length === 0 ? '' : ` ${malformed.length} of them could not be parsed as a patch.`;
  return [
    {
      subtype: 'rejected_edits',
      score: 0.5,
      step: first.step,
      steps,
      agent,
      explanation: `${counted(failed.length, 'edit')} with ${first.tool} did not apply${fileText}, first at step ${first.step}: "${cut(oneLine(first.message), 120)}"${costText(waste)}.${malformedText}`,
      suggestedAction: hasOthers
        ? 'Have the agent read the lines that it is about to change directly before each edit.'
        : 'Have the agent send complete patches, or use another edit tool.',
      evidence: failed.slice(0, 5).map(({ step, message }) => ({
        kind: 'rejected_edit',
        spanId: trace.steps[step]!.spanId,
        path: 'tool.result',
        quote: cut(message, 280),
        value: null,
      })),
      ...waste,
      fixes: [
        ...(hasOthers
          ? [
              ruleFix(trace, agent, {
                title: 'Read before every edit',
                rule: 'Directly before an edit, read the lines you are about to change, and copy them exactly.',
                why: 'The edits named text that the file did not contain.',
              }),
            ]
          : []),
        ...(malformed.length > 0
          ? [
              ruleFix(trace, agent, {
                title: 'Check the form of every patch',
                rule: 'Before you send a patch, check that each hunk has at least one line to remove, add or keep.',
                why: 'The tool could not parse the patch.',
              }),
            ]
          : []),
      ],
      key: `rejected edits ${first.tool}`,
    },
  ];
}

function rereads(trace: Trace, models: ModelCatalog): DetectionDraft<SessionSubtype>[] {
  const found = unchangedRereads(trace);
  const again = found.flatMap(({ steps }) => steps.slice(1));
  if (again.length < MIN_REREADS) return [];
  const steps = [...new Set(again)].sort((a, b) => a - b);
  const waste = wasteOf(trace, steps, models);
  const [first] = found as [UnchangedReread];
  const names = [...new Set(found.map(({ path }) => baseName(path)))];
  const tool = trace.steps[steps[0]!]!.name;
  return [
    {
      subtype: 'unchanged_reread',
      score: 0.5,
      step: steps[0]!,
      steps,
      agent: first.agent,
      explanation: `The same unchanged lines were read again ${counted(again.length, 'time')} with ${tool}: ${listed(names)}${costText(waste)}.`,
      suggestedAction: 'Start a new session for a new task, or have the agent note what it learned from a file.',
      evidence: found.slice(0, 5).map(({ path, steps: at }) => callEvidence(trace, at[1]!, path)),
      ...waste,
      fixes: [
        ruleFix(trace, first.agent, {
          title: 'Do not read unchanged lines again',
          rule: 'Before you read a file, check whether you have read the same lines already and nothing has changed them since.',
          why: 'The second read returned the same as the first.',
        }),
      ],
      key: 'unchanged rereads',
    },
  ];
}

function pollingDetection(trace: Trace, polls: Polling, models: ModelCatalog): DetectionDraft<SessionSubtype> {
  const { tools, agent, steps, waits, waitMs } = polls;
  const waste = wasteOf(trace, steps, models);
  const waited = waitMs === null ? '' : `, mostly after ${seconds(waitMs)}`;
  const args = new Map(toolUses(trace).map(({ step, argumentsText }) => [step, argumentsText]));
  return {
    subtype: 'polling',
    score: 0.5,
    step: steps[0]!,
    steps,
    agent,
    explanation: `${agent ?? 'The agent'} asked ${counted(steps.length, 'time')} with ${listed(tools)} for the result of something that had not ended (${counted(waits, 'wait')})${waited}${costText(waste)}. Each poll is a model call with the whole conversation.`,
    suggestedAction: `Let ${tools[0]} wait longer for each result, or have the program report when the command ends.`,
    evidence: steps.slice(0, 3).map((step) => callEvidence(trace, step, args.get(step) ?? tools[0]!)),
    ...waste,
    fixes: [
      checkFix('config_change', {
        title: 'Wait longer for running commands',
        target: `waiting time of ${tools[0]}`,
        description: `Raise the time that ${tools[0]} waits before it returns without a result, for example to 60 seconds.`,
        after: 'wait: 60 seconds',
        why: 'Fewer polls mean fewer model calls for the same result.',
      }),
    ],
    key: `polling ${agent ?? ''}`,
  };
}

function seconds(ms: number): string {
  return counted(Math.round(ms / 100) / 10, 'second');
}

function callEvidence(trace: Trace, step: number, value: string) {
  return {
    kind: 'call',
    spanId: trace.steps[step]!.spanId,
    path: 'tool.arguments',
    quote: null,
    value: cut(value, 280),
  };
}

function costText({ wastedCostUsd }: Waste): string {
  if (wastedCostUsd < 0.01) return '';
  return `, which cost about $${wastedCostUsd.toFixed(2)}`;
}

function listed(names: readonly string[]): string {
  const others = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${others}`;
}
