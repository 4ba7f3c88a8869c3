import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Detection, Evidence } from '../../../client/misstep-client.generated.ts';
import { LazyView } from '../../parts/lazy-view.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { submitFeedback } from '../feedback/submit-feedback.ts';
import { Conversation } from './conversation.tsx';
import { DetectionPanel } from './detection-panel.tsx';
import { Minimap } from './minimap.tsx';
import { PrintedTrace } from './printed-trace.tsx';
import { StateList } from './state-list.tsx';
import { StepDetail } from './step-detail.tsx';
import { StepGrid } from './step-grid.tsx';
import type { TraceAddress } from './trace-address.ts';
import { TraceHeader } from './trace-header.tsx';
import { changeTraceAddress, type GoOptions } from './trace-links.ts';
import styles from './trace-page.module.css';
import type { TraceState } from './trace-state.ts';
import { useFoundTexts } from './use-found-texts.ts';
import { VerdictLine } from './verdict-line.tsx';
import { ViewBar } from './view-bar.tsx';

/** A narrow screen shows one of these panes at a time. */
const PANES = [
  { name: 'steps', title: 'Steps' },
  { name: 'detections', title: 'Detections' },
  { name: 'detail', title: 'Selected step' },
] as const;
type Pane = (typeof PANES)[number]['name'];

/** Loaded on demand: the graph is opened rarely and is a fifth of this view’s code. */
async function loadGraph() {
  return (await import('./agent-graph.tsx')).AgentGraph;
}

interface Quote {
  spanId: string;
  path: string | null;
  text: string | null;
}

export function TracePage({ traceId, state }: { traceId: string; state: TraceState }) {
  const pane = useSignal<Pane>('steps');
  const isDetailVisible = useSignal(true);
  const shownEvidence = useSignal<Quote | null>(null);
  useFoundTexts(traceId, state);

  const go = (change: Partial<TraceAddress>, options?: GoOptions) => {
    const isNewStep = change.spanId !== undefined && change.spanId !== state.spanOf(state.selected.peek());
    // A newly selected step opens on its default tab.
    changeTraceAddress(traceId, state.address.peek(), isNewStep ? { tab: null, ...change } : change, options);
  };
  function selectDetection(detection: Detection): void {
    const step = state.stepOfDetection(detection);
    shownEvidence.value = null;
    go({
      detectionId: detection.detection_id,
      spanId: step < 0 ? state.address.peek().spanId : state.spanOf(step),
      tab: null,
    });
  }
  function showEvidence({ span_id, path, quote }: Evidence): void {
    shownEvidence.value = { spanId: span_id, path, text: quote };
    go({ spanId: span_id, detectionId: state.detection.peek()?.detection_id ?? null, tab: null });
    pane.value = 'detail';
  }
  function giveFeedback(detection: Detection, isRight: boolean, comment: string | null): void {
    // A detection marked wrong no longer determines the selected step, so the current step is pinned in the address.
    const spanId = state.spanOf(state.selected.peek());
    go({ detectionId: detection.detection_id, spanId }, { replace: true });
    void submitFeedback(detection, isRight, comment);
  }
  const stepBy = (offset: number) => {
    const { ordered } = state.detections.peek();
    if (ordered.length === 0) return;
    const index = ordered.findIndex(({ detection_id }) => detection_id === state.detection.peek()?.detection_id);
    selectDetection(ordered[((index < 0 && offset < 0 ? 0 : index) + offset + ordered.length) % ordered.length]!);
  };
  useShortcuts([
    { keys: '[', label: 'Previous detection', run: () => stepBy(-1) },
    { keys: ']', label: 'Next detection', run: () => stepBy(1) },
    {
      keys: '\\',
      label: 'Show or hide the step details',
      run: () => {
        isDetailVisible.value = !isDetailVisible.value;
      },
    },
    { keys: '+', label: 'Zoom in on the step', run: () => zoom(state, go, 0.5) },
    { keys: '-', label: 'Zoom out', run: () => zoom(state, go, 2) },
    { keys: '0', label: 'Show the whole run', run: () => go({ window: null }) },
  ]);
  const quote = useQuote(state, shownEvidence.value);
  const { view } = state.address.value;
  return (
    <div
      class={styles.page}
      data-pane={pane.value}
      data-docked={isDetailVisible.value}
      data-clean={state.verdict.value.kind === 'clean' && state.detections.value.ordered.length === 0}
    >
      <TraceHeader state={state} />
      <VerdictLine state={state} go={go} />
      <Minimap state={state} go={go} />
      <ViewBar state={state} go={go} />
      <nav class={styles.panes} aria-label="Parts of the page">
        {PANES.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-pressed={pane.value === name}
            onClick={() => {
              pane.value = name;
            }}
          >
            {title}
          </button>
        ))}
      </nav>
      <div class={styles.steps}>
        {view === 'graph' ? (
          <ScrollRegion label="Graph">
            <LazyView load={loadGraph} props={{ traceId, state, go }} />
          </ScrollRegion>
        ) : view === 'chat' ? (
          <ScrollRegion label="Conversation">
            <Conversation traceId={traceId} state={state} go={go} />
          </ScrollRegion>
        ) : view === 'state' ? (
          <ScrollRegion label="State">
            <StateList traceId={traceId} state={state} go={go} />
          </ScrollRegion>
        ) : (
          <StepGrid state={state} layout={view === 'timeline' ? 'timeline' : 'tree'} go={go} />
        )}
      </div>
      <div class={styles.detections}>
        <DetectionPanel
          state={state}
          onSelect={selectDetection}
          onStep={stepBy}
          onShowEvidence={showEvidence}
          onFeedback={giveFeedback}
        />
      </div>
      <div class={styles.detail}>
        <StepDetail traceId={traceId} state={state} quote={quote} go={go} />
      </div>
      <PrintedTrace state={state} />
    </div>
  );
}

/** A scrollable region that can be reached with the keyboard. */
function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={styles.scrolled} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** The passage that the shown detection quotes from the selected step: the one jumped to, otherwise its first evidence there. */
function useQuote(state: TraceState, shownEvidence: Quote | null): Omit<Quote, 'spanId'> | null {
  const spanId = state.spanOf(state.selected.value);
  const detection = state.detection.value;
  return useMemo(() => {
    if (shownEvidence !== null && shownEvidence.spanId === spanId) return shownEvidence;
    const evidence = detection?.evidence.find((item) => item.span_id === spanId && item.quote !== null);
    return evidence === undefined ? null : { path: evidence.path, text: evidence.quote };
  }, [shownEvidence, spanId, detection]);
}

/** Narrows or widens the time window around the selected step. */
function zoom(state: TraceState, go: (change: Partial<TraceAddress>) => void, factor: number): void {
  const { start, lastTime } = state.columns.peek();
  const window = state.window.peek() ?? { from: 0, to: lastTime };
  const length = Math.min(lastTime, Math.max(2, (window.to - window.from) * factor));
  const stepStart = start[state.selected.peek()] ?? Number.NaN;
  const centre = Number.isNaN(stepStart) ? (window.from + window.to) / 2 : stepStart;
  const from = Math.max(0, Math.min(lastTime - length, centre - length / 2));
  go({ window: length >= lastTime ? null : { from: Math.floor(from), to: Math.ceil(from + length) } });
}
