import type { DetectionType } from '../../src/core/detection.ts';
import type { Outcome } from './outcome.ts';
import { type DetectorReport, type GroupReport, hasAlarm, isAlarm, type Rate, type Verdict } from './tally.ts';

const SHOWN_PER_OUTCOME = 12;
const EXPLANATION_CHARACTERS = 220;

export function groupTable(groups: readonly GroupReport[]): string {
  const rows = groups.map((group) => [
    group.set,
    group.outcome,
    String(group.n),
    percent(group.atWarning),
    percent(group.atWarningByDefault),
    percent(group.atCritical),
    group.msPerTrace.toFixed(2),
    group.msPer100kB.toFixed(2),
    group.maxMs.toFixed(0),
    String(group.crashes),
  ]);
  const head = [
    'set',
    'outcome',
    'n',
    'warning+',
    'warning+ (on by default)',
    'critical',
    'ms/trace',
    'ms/100 kB',
    'max ms',
    'crashes',
  ];
  return table('Runs with a detection', head, rows);
}

/** Healthy and failing pooled over the sets that have healthy runs; then each set by itself where it fired. */
export function detectorTable(reports: ReadonlyMap<DetectionType, DetectorReport>): string {
  const rows = [...reports].map(([type, { healthy, failing, bySet, notApplicable }]) => [
    type,
    percent(healthy),
    percent(failing),
    bySet
      .filter(({ rate }) => rate.fired > 0)
      .map(({ set, outcome, rate }) => `${set}/${outcome} ${rate.fired}/${rate.n}`)
      .join(' · '),
    String(notApplicable),
  ]);
  return table('Detectors at warning or higher', ['detector', 'healthy', 'failing', 'where', 'not applicable'], rows);
}

export function crashTable(verdicts: readonly Verdict[]): string {
  const crashes = verdicts.flatMap(({ id, judgement }) => judgement.crashes.map((crash) => ({ id, ...crash })));
  const kinds = Map.groupBy(crashes, ({ where, message }) => `${where}: ${message.slice(0, EXPLANATION_CHARACTERS)}`);
  const rows = [...kinds].map(([kind, members]) => [String(members.length), kind, members[0]!.id]);
  return table('Crashes', ['n', 'what', 'first record'], rows);
}

/** The runs on which a detector is surest, by outcome. */
export function showcase(verdicts: readonly Verdict[], type: DetectionType): string {
  const groups = Map.groupBy(
    verdicts.filter((verdict) => hasAlarm(verdict, type)),
    ({ outcome }) => outcome,
  );
  return [...groups].map(([outcome, members]) => showOutcome(outcome, members, type)).join('\n');
}

function showOutcome(outcome: Outcome, members: readonly Verdict[], type: DetectionType): string {
  const found = members.flatMap(({ id, judgement }) => {
    const [surest] = judgement.detections
      .filter((detection) => detection.type === type && isAlarm(detection))
      .sort((a, b) => b.confidence - a.confidence);
    return surest === undefined ? [] : [{ id, surest }];
  });
  const rows = found
    .sort((a, b) => b.surest.confidence - a.surest.confidence)
    .slice(0, SHOWN_PER_OUTCOME)
    .map(({ id, surest }) => [
      id,
      surest.subtype,
      surest.severity,
      surest.confidence.toFixed(2),
      String(surest.step ?? '-'),
      surest.explanation.replaceAll('\n', ' ').slice(0, EXPLANATION_CHARACTERS),
    ]);
  return table(
    `${type} on ${outcome} runs (${members.length})`,
    ['record', 'subtype', 'severity', 'conf', 'step', 'why'],
    rows,
  );
}

function percent({ fired, n, rate, interval }: Rate): string {
  const [low, high] = interval.map((bound) => (bound * 100).toFixed(1));
  return n === 0 ? '-' : `${(rate * 100).toFixed(1)} % [${low}–${high}] ${fired}/${n}`;
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [`\n${title}`, line(head), ...rows.map(line)].join('\n');
}
