import type { Evidence } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { findBoundViolations } from './bounds.ts';
import { type CheckpointFault, checkpointDetection } from './checkpoint-fault.ts';
import { findCounterRegressions } from './counter.ts';
import { findDroppedWrites } from './dropped-writes.ts';
import { findRepeatedEffects } from './effect-repeated.ts';
import type { Fault, StateSubtype } from './fault.ts';
import { findLostCheckpoints } from './lost-checkpoint.ts';
import { findLostFields } from './lost-field.ts';
import { stateCorruptionManifest } from './manifest.ts';
import { findShrunkLists } from './shrunk-list.ts';
import { buildSeries, type SnapshotSeries } from './snapshot-series.ts';
import { findStaleCheckpoints } from './stale-checkpoint.ts';
import { stateFixes } from './state-fix.ts';
import { findTypeChanges } from './type-change.ts';

const EVIDENCE_LIMIT = 6;
const VALUE_LIMIT = 120;

export const stateCorruption = defineDetector({
  ...stateCorruptionManifest,
  detect(trace, _options, report) {
    for (const faults of groupByWrite(findFaults(trace))) report(draftOf(faults, trace));
    for (const fault of findCheckpointFaults(trace)) report(checkpointDetection(fault, trace));
  },
});

function findFaults(trace: Trace): Fault[] {
  return buildSeries(trace.states).flatMap((series: SnapshotSeries) => [
    ...findTypeChanges(series, trace.steps),
    ...findLostFields(series, trace.steps),
    ...findCounterRegressions(series),
    ...findBoundViolations(series),
    ...findShrunkLists(series),
  ]);
}

function findCheckpointFaults(trace: Trace): CheckpointFault[] {
  return [
    ...findStaleCheckpoints(trace),
    ...findLostCheckpoints(trace),
    ...findDroppedWrites(trace),
    ...findRepeatedEffects(trace),
  ];
}

/** Merges the faults of one write into one detection, represented by the most certain fault. */
function groupByWrite(faults: readonly Fault[]): Fault[][] {
  const groups = Map.groupBy(faults, (fault) => `${fault.subtype} ${fault.to.snapshot.spanId}`);
  return [...groups.values()].map((group) => group.sort((a, b) => b.score - a.score));
}

function draftOf(faults: readonly Fault[], trace: Trace): DetectionDraft<StateSubtype> {
  const fault = faults[0]!;
  const { snapshot } = fault.to;
  const others = faults.slice(1, 4).map((other) => `\`${other.path}\``);
  return {
    subtype: fault.subtype,
    score: fault.score,
    step: snapshot.step,
    steps: [snapshot.step, fault.from.snapshot.step],
    agent: snapshot.agent ?? snapshot.node,
    explanation: [
      `State field \`${fault.path}\` ${fault.what} when ${writerName(fault, trace)} ran (step ${snapshot.step}): ${changeText(fault)}.`,
      ...(others.length > 0 ? [`The same step also damaged ${others.join(', ')}.`] : []),
    ].join(' '),
    suggestedAction: `Check what ${writerName(fault, trace)} returns for \`${fault.path}\` and validate it against a state schema.`,
    evidence: faults.slice(0, EVIDENCE_LIMIT).flatMap(evidenceOf),
    fixes: stateFixes(fault, trace.framework),
    key: `${fault.subtype} ${fault.path}`,
  };
}

function writerName({ to: { snapshot } }: Fault, trace: Trace): string {
  if (snapshot.node !== null) return `node ${snapshot.node}`;
  if (snapshot.agent !== null) return `agent ${snapshot.agent}`;
  return `step ${trace.steps[snapshot.step]?.name ?? snapshot.step}`;
}

function changeText({ subtype, before, after }: Fault): string {
  if (subtype === 'list_shrunk') return `it had ${before} entries and now has ${after}`;
  return `it was ${shown(before)} and is now ${subtype === 'field_vanished' ? 'missing' : shown(after)}`;
}

function shown(value: Json): string {
  return cut(JSON.stringify(value), VALUE_LIMIT);
}

function evidenceOf(fault: Fault): Evidence[] {
  const path = `state.${fault.path}`;
  return [
    {
      kind: 'state_change',
      spanId: fault.to.snapshot.spanId,
      path,
      quote: `${shown(fault.before)} → ${fault.subtype === 'field_vanished' ? 'missing' : shown(fault.after)}`,
      value: { before: shortValue(fault.before), after: shortValue(fault.after), sequence: fault.to.snapshot.sequence },
    },
  ];
}

function shortValue(value: Json): Json {
  return typeof value === 'object' && value !== null
    ? shown(value)
    : typeof value === 'string'
      ? cut(value, VALUE_LIMIT)
      : value;
}
