import { count, duration, pluralize, shortCount } from '../../parts/amounts.ts';
import { KindGlyph } from '../../parts/kind-glyph.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { agentOf, kindOf, modelOf, nameOf, STATUS_ERROR } from '../../trace-model/columns.ts';
import { compactName } from '../../trace-model/compact-name.ts';
import { type FoldTotals, foldTotals } from '../../trace-model/fold-totals.ts';
import { rowMark } from '../../trace-model/row-mark.ts';
import type { TimeScale } from '../../trace-model/time-scale.ts';
import { rowAt } from '../../trace-model/visible-rows.ts';
import { FoldBars, StepBar } from './step-bar.tsx';
import styles from './step-row.module.css';
import type { TraceState } from './trace-state.ts';

interface StepRowProps {
  state: TraceState;
  row: number;
  top: number;
  isSelected: boolean;
  scale: TimeScale;
  layout: GridLayout;
}

/** `tree`: names with notes and a column of durations. `timeline`: short names, and durations beside wide bars. */
export type GridLayout = 'tree' | 'timeline';

export const MAX_GUIDES = 12;
const GUIDE_PX = 14;
const MAX_NAME_LENGTH = 200;

/** A step, or a fold of repeated steps, with its bar on the time axis. */
export function StepRow({ state, row, top, isSelected, scale, layout }: StepRowProps) {
  const columns = state.columns.value;
  const { step, level, times, period, position, setSize } = rowAt(state.rows.value, row);
  const detections = state.detections.value;
  const isFold = times > 1;
  const totals = isFold ? foldTotals({ columns, ...detections, shown: state.shown.value }, step, times * period) : null;
  const isExpanded = expansion(state, step, isFold);
  const { severity, inside, isEvidence } = rowMark(detections, step, totals, isExpanded);
  const markClass = severity !== null ? `${styles[severity]} ${styles.decisive}` : isEvidence ? styles.evidence : '';
  const isTimeline = layout === 'timeline';
  const time = durationText(state, step, totals);
  const hasFailed = totals === null ? columns.status[step] === STATUS_ERROR : totals.errors > 0;
  return (
    <div
      role="row"
      id={`step-row-${row}`}
      data-row={row}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      {...(isExpanded === null ? {} : { 'aria-expanded': isExpanded })}
      class={`${styles.row} ${isSelected ? styles.selected : ''} ${markClass}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="gridcell" class={styles.name}>
        <span class={styles.number}>{!isFold && step}</span>
        <Guides level={level} />
        <span
          class={styles.twisty}
          data-twisty={isExpanded !== null}
          data-open={isExpanded === true}
          aria-hidden="true"
        />
        <KindGlyph kind={kindOf(columns, step)} />
        <NameText state={state} step={step} period={period} isCompact={isTimeline} />
        {isFold && <span class={styles.times}>×{count(times)}</span>}
        {isTimeline ? <span class={styles.space} /> : <Notes state={state} step={step} totals={totals} />}
        {hasFailed && <span class={styles.failed}>{failureText(totals)}</span>}
        {severity && <SeverityMark severity={severity} />}
        {isEvidence && <EvidenceMark />}
        {inside && (
          <span class={styles.inside} title={`${inside} detection inside`}>
            <SeverityMark severity={inside} />
            <span class="visually-hidden"> inside</span>
          </span>
        )}
      </span>
      <span role="gridcell" class={styles.duration}>
        {!isTimeline && time}
      </span>
      <span role="gridcell" class={styles.timeline}>
        {totals === null ? (
          <StepBar state={state} step={step} scale={scale} label={isTimeline ? time : null} />
        ) : (
          <FoldBars state={state} totals={totals} step={step} scale={scale} label={isTimeline ? time : null} />
        )}
      </span>
    </div>
  );
}

/** The sign of a step that a detection refers to, but that is not the cause. */
function EvidenceMark() {
  return (
    <span class={styles.mark} title="A detection refers to this step, and names another one as the cause.">
      <span class="visually-hidden">evidence</span>
    </span>
  );
}

/** Null for a row without children. */
export function expansion(state: TraceState, step: number, isFold: boolean): boolean | null {
  const { collapsed, unfolded } = state.rowState.value;
  if (isFold) return unfolded.has(step);
  return state.columns.value.firstChild[step] === -1 ? null : !collapsed.has(step);
}

function Guides({ level }: { level: number }) {
  const shown = Math.min(level - 1, MAX_GUIDES);
  return (
    <>
      <span class={styles.guides} style={{ width: `${shown * GUIDE_PX}px` }} />
      {level - 1 > MAX_GUIDES && <span class={styles.deeper}>+{level - 1 - MAX_GUIDES}</span>}
    </>
  );
}

interface NameTextProps {
  state: TraceState;
  step: number;
  period: number;
  isCompact: boolean;
}

/** The name of a fold lists all steps of its sequence: `chat → search`. */
function NameText({ state, step, period, isCompact }: NameTextProps) {
  const columns = state.columns.value;
  const names: string[] = [];
  for (let sibling = step; sibling >= 0 && names.length < period; sibling = columns.nextSibling[sibling]!)
    if (state.shown.value?.[sibling] !== 0) names.push(nameOf(columns, sibling));
  const shown = names.map((name) => (name === '' ? '(unnamed)' : name.slice(0, MAX_NAME_LENGTH)));
  return (
    <bdi class={styles.text} title={visibleText(shown.join(' → '))}>
      {visibleText((isCompact ? shown.map(compactName) : shown).join(' → '))}
    </bdi>
  );
}

function Notes({ state, step, totals }: { state: TraceState; step: number; totals: FoldTotals | null }) {
  const columns = state.columns.value;
  const parent = columns.parent[step]!;
  const agent = agentOf(columns, step);
  const isNewAgent = agent !== null && (parent < 0 || agentOf(columns, parent) !== agent);
  const model = modelOf(columns, step);
  const tokens = totals?.tokens ?? columns.tokens[step]!;
  const notes = [
    ...(isNewAgent && !nameOf(columns, step).includes(agent) ? [visibleText(agent.slice(0, MAX_NAME_LENGTH))] : []),
    ...(model !== null && !nameOf(columns, step).includes(model) ? [visibleText(model.slice(0, MAX_NAME_LENGTH))] : []),
    ...(tokens > 0 ? [`${shortCount(tokens)} tok`] : []),
  ];
  return (
    <span class={styles.notes}>
      <bdi>{notes.join(' · ')}</bdi>
    </span>
  );
}

function failureText(totals: FoldTotals | null): string {
  return totals === null || totals.members.length === 1 ? 'error' : pluralize(totals.errors, 'error');
}

function durationText(state: TraceState, step: number, totals: FoldTotals | null): string {
  if (totals !== null) return duration(totals.duration);
  const { start, end } = state.columns.value;
  if (Number.isNaN(start[step]!)) return '';
  if (!Number.isNaN(end[step]!)) return duration(end[step]! - start[step]!);
  return state.isRunning.value ? 'running' : 'no end';
}
