import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Span } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { dollars, duration, shortCount } from '../../parts/amounts.ts';
import { KindGlyph, kindLabel } from '../../parts/kind-glyph.tsx';
import { type Tab, Tabs } from '../../parts/tabs.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { kindOf, nameOf } from '../../trace-model/columns.ts';
import { type DetailTab, passageOf, tabOfQuote } from '../../trace-model/quote-tab.ts';
import { DetailPanel } from './detail-panel.tsx';
import styles from './step-detail.module.css';
import type { TraceAddress } from './trace-address.ts';
import type { GoOptions } from './trace-links.ts';
import type { TraceState } from './trace-state.ts';

interface StepDetailProps {
  traceId: string;
  state: TraceState;
  /** A passage that a detection quotes from this step; null for none. */
  quote: { path: string | null; text: string | null } | null;
  go(change: Partial<TraceAddress>, options?: GoOptions): void;
}

/** While an arrow key is held down, only the last step is requested. */
const DEBOUNCE_MS = 120;

/** Input, output and other tabs of the selected step. */
export function StepDetail({ traceId, state, quote, go }: StepDetailProps) {
  const step = state.selected.value;
  const spanId = useDebounced(state.spanOf(step));
  const query = useQuery<Span>(
    spanId === null ? null : `trace:${traceId}:span:${spanId}`,
    withRetries((signal) =>
      server.traces.span({ tenant_id: tenantId.value!, trace_id: traceId, span_id: spanId! }, { signal }),
    ),
  );
  const isSlow = useIsSlow(query);
  const shown = useComputed(() => query.value.value);
  const { error } = query.value;
  const span = shown.value;
  const columns = state.columns.value;
  if (step < 0) return <section class={styles.detail} aria-label="Step" />;
  return (
    <section class={styles.detail} aria-label="Step">
      <header class={styles.head}>
        <KindGlyph kind={kindOf(columns, step)} />
        <h2>
          Step {step} <bdi class={styles.name}>{visibleText(nameOf(columns, step).slice(0, 300))}</bdi>
        </h2>
        <span class={styles.facts}>
          {span === undefined ? kindLabel(kindOf(columns, step)) : factsOf(span).join(' · ')}
        </span>
      </header>
      {span === undefined ? (
        <p class={styles.note} aria-busy={query.value.isLoading}>
          {error === undefined ? isSlow && 'Loading the step…' : problemTextOf(error).text}
        </p>
      ) : (
        <DetailTabs traceId={traceId} span={span} state={state} quote={quote} go={go} />
      )}
    </section>
  );
}

function DetailTabs({ traceId, span, state, quote, go }: StepDetailProps & { span: Span }) {
  const passage = quote === null ? null : passageOf(span, quote.text);
  const quoteTab = quote === null ? null : tabOfQuote(span, quote.path, passage);
  const tabs = tabsOf(span);
  const selectedTab = state.address.value.tab ?? quoteTab ?? mainTab(span);
  return (
    <Tabs
      id="step"
      label={`Step ${span.step?.index ?? ''}`}
      tabs={tabs}
      selected={selectedTab}
      onSelect={(tab) => go({ tab }, { replace: true })}
    >
      <DetailPanel traceId={traceId} span={span} tab={selectedTab} quote={passage} />
    </Tabs>
  );
}

function tabsOf({ step, attributes }: Span): Tab<DetailTab>[] {
  const messages = (step?.input_messages.length ?? 0) + (step?.output_messages.length ?? 0);
  return [
    { name: 'input', title: 'Input' },
    { name: 'output', title: 'Output' },
    { name: 'messages', title: 'Messages', count: messages },
    { name: 'attributes', title: 'Attributes', count: Object.keys(attributes).length },
    { name: 'state', title: 'State' },
    { name: 'raw', title: 'Raw' },
  ];
}

/** The default tab of a step: its output, otherwise its messages, otherwise its attributes. */
function mainTab({ step }: Span): DetailTab {
  if (step === null) return 'attributes';
  if (step.tool !== null || step.output !== '' || step.error !== null) return 'output';
  if (step.output_messages.length + step.input_messages.length > 0) return 'messages';
  return step.input === '' ? 'attributes' : 'input';
}

function factsOf({ step, duration_ms, started_at, parent_span_id }: Span): string[] {
  const total = step?.tokens.total ?? (step?.tokens.input ?? 0) + (step?.tokens.output ?? 0);
  return [
    kindLabel(step?.kind ?? 'other'),
    ...(step?.agent_id ? [visibleText(step.agent_id.slice(0, 100))] : []),
    ...(step?.model ? [visibleText(step.model.slice(0, 100))] : []),
    ...(total > 0 ? [`${shortCount(total)} tokens`] : []),
    ...(step?.cost_usd ? [dollars(step.cost_usd)] : []),
    duration_ms === null ? 'no end was sent' : duration(duration_ms * 1_000),
    ...(started_at === null ? [] : [timeText(started_at)]),
    ...(parent_span_id !== null && step?.depth === 0 ? ['its parent is missing'] : []),
  ];
}

function timeText(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, { timeZoneName: 'short' });
}

/** The value after it has not changed for `DEBOUNCE_MS`. */
function useDebounced(value: string | null): string | null {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
