import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Detection, Trace, TraceOutline } from '../../../client/misstep-client.generated.ts';
import { agentOf, kindOf, nameOf, stepsBySpan, type TraceColumns, toColumns } from '../../trace-model/columns.ts';
import { stepFinder } from '../../trace-model/find-steps.ts';
import { reveal } from '../../trace-model/reveal.ts';
import { shownEnds } from '../../trace-model/shown-ends.ts';
import { type StepDetections, stepDetections } from '../../trace-model/step-detections.ts';
import { filterSteps, isInWindow, type TimeWindow } from '../../trace-model/step-filter.ts';
import { type IdleGap, idleGaps, type TimeScale, timeScale } from '../../trace-model/time-scale.ts';
import { decisiveStep, type Verdict, verdictOf } from '../../trace-model/verdict.ts';
import { type RowState, type VisibleRows, visibleRows } from '../../trace-model/visible-rows.ts';
import type { TraceAddress } from './trace-address.ts';

/** With more steps, most bars on the scale of the whole run are narrower than a pixel, so the axis fits the visible steps. */
const MAX_STEPS_OF_WHOLE_SCALE = 1_000;

/** The state of the trace page: the data of the server, the parameters of the address, and values derived from both. */
export class TraceState {
  readonly trace: Signal<Trace>;
  readonly list: Signal<readonly Detection[]>;
  readonly columns: Signal<TraceColumns>;
  readonly address: ReadonlySignal<TraceAddress>;
  /** Spans whose texts contain the search text, from the server; null until loaded. */
  readonly foundSpans = signal<readonly string[] | null>(null);
  readonly rowState = signal<RowState>({ collapsed: new Set(), unfolded: new Set() });
  /** Whether gaps are not compressed. */
  readonly isTrueTime = signal(false);
  /** Whether the time axis fits the visible steps instead of the whole run. */
  readonly isScaleFitted: Signal<boolean>;

  readonly stepOf = computed(() => stepsBySpan(this.columns.value));
  readonly isRunning = computed(() => this.trace.value.status === 'running');
  readonly shownEnd = computed(() => shownEnds(this.columns.value, this.isRunning.value));
  readonly allGaps: ReadonlySignal<readonly IdleGap[]> = computed(() =>
    idleGaps(this.columns.value, this.shownEnd.value),
  );
  readonly gaps = computed(() => (this.isTrueTime.value ? [] : this.allGaps.value));
  /** The time scale of the whole run. */
  readonly runScale: ReadonlySignal<TimeScale> = computed(() =>
    timeScale(0, this.columns.value.lastTime, this.gaps.value),
  );
  readonly detections: ReadonlySignal<StepDetections> = computed(() =>
    stepDetections(this.columns.value, this.stepOf.value, this.list.value),
  );
  /** Tokens of all steps up to and including each step. */
  readonly tokensUpTo = computed(() => runningSum(this.columns.value.tokens));
  readonly verdict: ReadonlySignal<Verdict> = computed(() => verdictOf(this.trace.value, this.list.value));
  // Separate primitive values, so that a changed selection does not recompute the filter and the rows.
  readonly #find = computed(() => this.address.value.find);
  readonly #isOnlyDetections = computed(() => this.address.value.isOnlyDetections);
  readonly #windowFrom = computed(() => this.address.value.window?.from ?? -1);
  readonly #windowTo = computed(() => this.address.value.window?.to ?? -1);
  readonly window = computed<TimeWindow | null>(() =>
    this.#windowFrom.value < 0 ? null : { from: this.#windowFrom.value, to: this.#windowTo.value },
  );
  readonly #matching = computed(() => this.#matchingSteps());
  readonly shown = computed(() => this.#matching.value?.shown ?? null);
  /** Number of matching steps, without their ancestors; null for no filter. */
  readonly matches = computed(() => this.#matching.value?.count ?? null);
  readonly rows: ReadonlySignal<VisibleRows> = computed(() =>
    visibleRows(this.columns.value, this.rowState.value, this.shown.value),
  );
  readonly selected = computed(() => this.#selectedStep());
  readonly detection = computed(() => this.#selectedDetection());

  constructor(initial: {
    trace: Trace;
    outline: TraceOutline;
    detections: readonly Detection[];
    address: ReadonlySignal<TraceAddress>;
  }) {
    this.trace = signal(initial.trace);
    this.list = signal(initial.detections);
    this.columns = signal(toColumns(initial.outline));
    this.address = initial.address;
    this.isScaleFitted = signal(this.columns.value.total > MAX_STEPS_OF_WHOLE_SCALE);
    this.revealStep(this.selected.value);
  }

  /** Replaces the steps with those of a later outline, and keeps the expanded rows. */
  update(outline: TraceOutline): void {
    const [previous, next] = [this.columns.peek(), toColumns(outline)];
    const stepOf = stepsBySpan(next);
    const remapped = (steps: ReadonlySet<number>) =>
      new Set([...steps].flatMap((step) => stepOf.get(previous.spanIds[step]!) ?? []));
    const { collapsed, unfolded } = this.rowState.peek();
    this.rowState.value = { collapsed: remapped(collapsed), unfolded: remapped(unfolded) };
    this.columns.value = next;
  }

  revealStep(step: number): void {
    if (step >= 0) this.rowState.value = reveal(this.columns.peek(), this.rowState.peek(), step, this.shown.peek());
  }

  setOpen(step: number, isFold: boolean, isOpen: boolean): void {
    const { collapsed, unfolded } = this.rowState.peek();
    if (isFold) this.rowState.value = { collapsed, unfolded: withMember(unfolded, step, isOpen) };
    else this.rowState.value = { collapsed: withMember(collapsed, step, !isOpen), unfolded };
  }

  /** `step 14: search_orders (tool) of researcher`; the kind only if the sender named one. */
  stepText(step: number): string {
    const columns = this.columns.value;
    const agent = agentOf(columns, step);
    const kind = kindOf(columns, step);
    const kindText = kind === 'other' ? '' : ` (${kind})`;
    return `step ${step}: ${nameOf(columns, step)}${kindText}${agent === null ? '' : ` of ${agent}`}`;
  }

  spanOf(step: number): string | null {
    return this.columns.value.spanIds[step] ?? null;
  }

  /** The decisive step of a detection, or the step of its first span; -1 for a detection about the whole run. */
  stepOfDetection({ step, span_ids }: Detection): number {
    if (step !== null && step < this.columns.value.total) return step;
    return this.stepOf.value.get(span_ids[0] ?? '') ?? -1;
  }

  #matchingSteps(): { shown: Uint8Array; count: number } | null {
    const [find, isOnlyDetections, window] = [this.#find.value, this.#isOnlyDetections.value, this.window.value];
    if (find === '' && !isOnlyDetections && window === null) return null;
    const columns = this.columns.value;
    const matchesColumns = find === '' ? null : stepFinder(columns, find);
    const textMatches = new Set(this.foundSpans.value?.map((spanId) => this.stepOf.value.get(spanId)));
    const { worst } = this.detections.value;
    const matches = (step: number) =>
      (window === null || isInWindow(columns, this.shownEnd.value, step, window)) &&
      (!isOnlyDetections || worst[step]! > 0) &&
      (matchesColumns === null || matchesColumns(step) || textMatches.has(step));
    return filterSteps(columns, matches);
  }

  #selectedStep(): number {
    const { spanId } = this.address.value;
    const selected = spanId === null ? undefined : this.stepOf.value.get(spanId);
    if (selected !== undefined) return selected;
    const detection = this.#namedDetection();
    const initial = (detection && this.stepOfDetection(detection)) ?? decisiveStep(this.verdict.value) ?? -1;
    return initial >= 0 && initial < this.columns.value.total ? initial : this.columns.value.firstRoot;
  }

  /** The detection in the address, otherwise the worst one of the selected step; null if there is none. */
  #selectedDetection(): Detection | null {
    const selected = this.#namedDetection();
    if (selected) return selected;
    const verdict = this.verdict.value;
    const initial = 'detectionId' in verdict ? verdict.detectionId : null;
    const isInitial = this.address.value.spanId === null;
    const [atStep] = this.detections.value.at(this.selected.value);
    return (
      (isInitial ? this.list.value.find(({ detection_id }) => detection_id === initial) : undefined) ?? atStep ?? null
    );
  }

  #namedDetection(): Detection | undefined {
    const { detectionId } = this.address.value;
    return detectionId === null ? undefined : this.list.value.find(({ detection_id }) => detection_id === detectionId);
  }
}

function withMember(set: ReadonlySet<number>, member: number, isIn: boolean): Set<number> {
  const changed = new Set(set);
  if (isIn) changed.add(member);
  else changed.delete(member);
  return changed;
}

function runningSum(amounts: Float64Array): Float64Array {
  let sum = 0;
  return amounts.map((amount) => {
    sum += amount;
    return sum;
  });
}
