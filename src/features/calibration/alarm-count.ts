import type { AdaptableKind, TraceSignals } from './traffic.ts';

interface Hit {
  trace: number;
  confidence: number;
}

/** Counts traces with an alarm while the alarm confidences of kinds are changed. */
export class AlarmCount {
  readonly #traces: number;
  /** Highest confidence first. */
  readonly #hits = new Map<string, Hit[]>();
  readonly #cuts = new Map<string, number>();
  /** Kinds that alarm, by trace. */
  readonly #alarms: number[];

  constructor(kinds: readonly AdaptableKind[], traces: readonly TraceSignals[]) {
    this.#traces = traces.length;
    this.#alarms = traces.map(() => 0);
    for (const kind of kinds) {
      const hits = traces.flatMap((signals, trace) => {
        const confidence = signals[kind.key];
        return confidence === undefined ? [] : [{ trace, confidence }];
      });
      this.#hits.set(
        kind.key,
        hits.sort((one, other) => other.confidence - one.confidence),
      );
      this.#cuts.set(kind.key, Number.POSITIVE_INFINITY);
      this.move(kind, kind.alarm);
    }
  }

  /** Share of traces with an alarm. */
  share(): number {
    return this.#shareOf(this.#alarms.filter((kinds) => kinds > 0).length);
  }

  /** Whether each trace has an alarm. */
  alarmed(): boolean[] {
    return this.#alarms.map((kinds) => kinds > 0);
  }

  /** The resulting `share` if this kind alarmed from `cut` on, which is lower than now. */
  shareWith(kind: AdaptableKind, cut: number): number {
    const more = this.#between(kind, cut, this.cutOf(kind)).filter(({ trace }) => this.#alarms[trace] === 0);
    return this.share() + this.#shareOf(more.length);
  }

  /** Share of traces on which this kind alarms. */
  shareOf(kind: AdaptableKind): number {
    return this.#shareOf(this.tracesFrom(kind, this.cutOf(kind)));
  }

  tracesFrom(kind: AdaptableKind, confidence: number): number {
    return this.#between(kind, confidence, Number.POSITIVE_INFINITY).length;
  }

  cutOf(kind: AdaptableKind): number {
    return this.#cuts.get(kind.key)!;
  }

  move(kind: AdaptableKind, cut: number): void {
    const before = this.cutOf(kind);
    const change = cut < before ? 1 : -1;
    for (const { trace } of this.#between(kind, Math.min(cut, before), Math.max(cut, before)))
      this.#alarms[trace]! += change;
    this.#cuts.set(kind.key, cut);
  }

  /** The next higher cut that silences at least one alarm of this kind; null if none alarms. */
  nextAbove(kind: AdaptableKind): number | null {
    const alarming = this.#between(kind, this.cutOf(kind), Number.POSITIVE_INFINITY);
    const lowest = alarming.at(-1);
    return lowest === undefined ? null : thousandths(lowest.confidence + 0.001);
  }

  /** The confidences of this kind below its cut, highest confidence first, each with the share of traces that reach it. */
  stepsBelow(kind: AdaptableKind, lowest: number): { confidence: number; share: number }[] {
    const below = this.#between(kind, lowest, this.cutOf(kind)).map(({ confidence }) => confidence);
    return [...new Set(below)].map((confidence) => ({
      confidence,
      share: this.#shareOf(this.tracesFrom(kind, confidence)),
    }));
  }

  #between(kind: AdaptableKind, from: number, to: number): Hit[] {
    return this.#hits.get(kind.key)!.filter(({ confidence }) => confidence >= from && confidence < to);
  }

  #shareOf(traces: number): number {
    return this.#traces === 0 ? 0 : traces / this.#traces;
  }
}

/** Confidences have three digits. */
export function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
