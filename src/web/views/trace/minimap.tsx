import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { duration, pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { kindGroup } from '../../parts/kind-glyph.tsx';
import { theme } from '../../shell/preferences.ts';
import { STATUS_ERROR } from '../../trace-model/columns.ts';
import { type MinimapBins, minimapBins } from '../../trace-model/minimap-bins.ts';
import { SEVERITIES } from '../../trace-model/step-detections.ts';
import { drawMinimap, minimapHeight } from './draw-minimap.ts';
import styles from './minimap.module.css';
import { MinimapTable } from './minimap-table.tsx';
import { TimeFields } from './time-fields.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';

interface MinimapProps {
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

/** Shorter drags are clicks. */
const MIN_DRAG_PX = 4;

/** The whole run on one strip. Dragging across it chooses a time window. */
export function Minimap({ state, go }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const width = useSignal(0);
  const colourScheme = useColourScheme();
  const drag = useSignal<{ from: number; to: number } | null>(null);
  const bins = useComputed<MinimapBins | null>(() =>
    width.value < 1
      ? null
      : minimapBins(
          {
            columns: state.columns.value,
            shownEnd: state.shownEnd.value,
            scale: state.runScale.value,
            worst: state.detections.value.decisive,
          },
          width.value,
        ),
  );

  useLayoutEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => {
      width.value = Math.floor(element.clientWidth);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const selected = useComputed(() => {
    const start = state.columns.value.start[state.selected.value];
    return start === undefined || Number.isNaN(start) ? null : state.runScale.value.toUnit(start);
  });

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || bins.value === null || legend.current === null) return;
    const ratio = devicePixelRatio || 1;
    canvas.current!.width = bins.value.width * ratio;
    canvas.current!.height = minimapHeight(bins.value) * ratio;
    context.scale(ratio, ratio);
    drawMinimap(context, bins.value, coloursOf(legend.current, state.columns.value.texts.kinds), selected.value);
  }, [bins.value, selected.value, colourScheme.value, theme.value]);

  const unitOf = (event: PointerEvent) => {
    const { left, width: renderedWidth } = canvas.current!.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / renderedWidth));
  };
  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    canvas.current!.setPointerCapture(event.pointerId);
    drag.value = { from: unitOf(event), to: unitOf(event) };
  }
  function onPointerMove(event: PointerEvent): void {
    if (drag.value !== null) drag.value = { ...drag.value, to: unitOf(event) };
  }
  function onPointerUp(): void {
    if (drag.value === null) return;
    const [from, to] = [drag.value.from, drag.value.to].sort((a, b) => a - b);
    drag.value = null;
    if ((to! - from!) * width.value < MIN_DRAG_PX) return;
    const scale = state.runScale.value;
    go({ window: { from: Math.floor(scale.toTime(from!)), to: Math.ceil(scale.toTime(to!)) } });
  }

  const { total, lastTime } = state.columns.value;
  return (
    <section class={styles.minimap} aria-label="The whole run">
      <div class={styles.strip}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${pluralize(total, 'step')} in ${duration(lastTime)}; the same as a table below`}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => {
            drag.value = null;
          }}
        />
        <Window state={state} drag={drag.value} />
      </div>
      <div class={styles.tools}>
        <Legend state={state} legend={legend} />
        {state.allGaps.value.length > 0 && (
          <label class={styles.switch}>
            <input
              type="checkbox"
              checked={state.isTrueTime.value}
              onChange={({ currentTarget }) => {
                state.isTrueTime.value = currentTarget.checked;
              }}
            />
            True time
          </label>
        )}
        <TimeFields state={state} go={go} />
        {state.window.value !== null && <Button onClick={() => go({ window: null })}>Show all</Button>}
        <MinimapTable state={state} />
      </div>
    </section>
  );
}

/** The chosen part of the strip; the rest is dimmed. */
function Window({ state, drag }: { state: TraceState; drag: { from: number; to: number } | null }) {
  const window = state.window.value;
  const scale = state.runScale.value;
  const selected = window === null ? null : { from: scale.toUnit(window.from), to: scale.toUnit(window.to) };
  const shown = drag ?? selected;
  if (shown === null) return null;
  const [from, to] = [Math.min(shown.from, shown.to), Math.max(shown.from, shown.to)];
  return (
    <>
      <span class={styles.dimmed} style={{ left: '0', width: `${from * 100}%` }} />
      <span class={styles.chosen} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
      <span class={styles.dimmed} style={{ left: `${to * 100}%`, width: `${(1 - to) * 100}%` }} />
    </>
  );
}

const GROUPS = ['agent', 'llm', 'tool', 'retrieval', 'guardrail', 'other'] as const;
const GROUP_NAMES: Readonly<Record<string, string>> = {
  agent: 'agent',
  llm: 'model',
  tool: 'tool',
  retrieval: 'retrieval',
  guardrail: 'guardrail',
  other: 'other',
};

/** Names the colours, and holds them in the page, where the drawing reads them. */
function Legend({ state, legend }: { state: TraceState; legend: { current: HTMLUListElement | null } }) {
  const present = new Set(state.columns.value.texts.kinds.map(kindGroup));
  const { view } = state.address.value;
  const hasError = useComputed(() => state.columns.value.status.includes(STATUS_ERROR));
  const hasEvidence = useComputed(() => {
    const { worst, decisive } = state.detections.value;
    return worst.some((weight, step) => weight > 0 && decisive[step] === 0);
  });
  return (
    <ul class={styles.legend} ref={legend}>
      {GROUPS.filter((group) => present.has(group)).map((group) => (
        <li key={group}>
          <span data-colour={group} class={`${styles.swatch} ${styles[group]}`} />
          {GROUP_NAMES[group]}
        </li>
      ))}
      {hasError.value && (
        <li>
          <span class={`${styles.swatch} ${styles.error}`} />
          error
        </li>
      )}
      {hasEvidence.value && (view === 'tree' || view === 'timeline') && (
        <li title="A detection refers to such a step, and names another one as the cause.">
          <span class={`${styles.swatch} ${styles.evidence}`} />
          evidence
        </li>
      )}
      <li class={styles.palette} aria-hidden="true">
        {['error', ...SEVERITIES, 'selection'].map((name) => (
          <span key={name} data-colour={name} class={styles[name]} />
        ))}
      </li>
    </ul>
  );
}

function coloursOf(legend: HTMLUListElement, kinds: readonly string[]) {
  const colour = (name: string) => {
    const swatch = legend.querySelector(`[data-colour="${name}"]`);
    return swatch === null ? '' : getComputedStyle(swatch).color;
  };
  return {
    kinds: kinds.map((kind) => colour(kindGroup(kind))),
    error: colour('error'),
    severities: SEVERITIES.map(colour),
    selection: colour('selection'),
  };
}

/** Changes when the system switches between light and dark. */
function useColourScheme() {
  const isDark = useSignal(matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const change = () => {
      isDark.value = query.matches;
    };
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return isDark;
}
