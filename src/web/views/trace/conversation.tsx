import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Span, SpanWindow } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { shortCount } from '../../parts/amounts.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { KindGlyph } from '../../parts/kind-glyph.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { conversationSteps, newMessages } from '../../trace-model/conversation-steps.ts';
import { severityOf } from '../../trace-model/step-detections.ts';
import { decisiveStep } from '../../trace-model/verdict.ts';
import styles from './conversation.module.css';
import { MessageItem } from './message-list.tsx';
import { Pager } from './pager.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';
import { useShownItem } from './use-shown-item.ts';

interface ConversationProps {
  traceId: string;
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

const PAGE_SIZE = 16;

/** The messages, model calls and tool calls of a run, in order and page by page. */
export function Conversation({ traceId, state, go }: ConversationProps) {
  const steps = useComputed(() => conversationSteps(state.columns.value, state.shown.value));
  const from = useSignal(0);
  const selected = state.selected.value;
  // The turn of the selected step, or the first one after a step that is no turn.
  const openedIndex = steps.value.findIndex((step) => step >= selected);
  useEffect(() => {
    if (openedIndex >= 0) from.value = openedIndex - (openedIndex % PAGE_SIZE);
  }, [selected, steps.value]);
  const shown = [...steps.value.slice(from.value, from.value + PAGE_SIZE)];
  const ids = shown.map((step) => state.spanOf(step)!);
  const query = useQuery<SpanWindow>(
    ids.length === 0 ? null : `trace:${traceId}:spans:${ids.join(',')}`,
    withRetries((signal) =>
      server.traces.spans({ tenant_id: tenantId.value!, trace_id: traceId, ids: ids.join(',') }, { signal }),
    ),
  );
  const { value, error } = query.value;
  if (steps.value.length === 0) return <p class={styles.note}>This run has no messages.</p>;
  if (error !== undefined) return <p class={styles.note}>{problemTextOf(error).text}</p>;
  if (value === undefined) return <p class={styles.note}>Loading the messages…</p>;
  const spans = new Map(value.items.map((span) => [span.span_id, span]));
  const orderedSpans = ids.flatMap((id) => spans.get(id) ?? []);
  return (
    <div class={styles.conversation}>
      <h2 class="visually-hidden">Conversation</h2>
      <ol>
        {orderedSpans.map((span, index) => (
          <Turn
            key={span.span_id}
            span={span}
            previous={previousCall(orderedSpans, index)}
            isOpened={from.value + index === openedIndex}
            state={state}
            go={go}
          />
        ))}
      </ol>
      <Pager
        label="Pages of the conversation"
        from={from.value}
        size={PAGE_SIZE}
        total={steps.value.length}
        onPage={(next) => {
          from.value = next;
        }}
      />
    </div>
  );
}

/** The previous model call of the same agent. */
function previousCall(spans: readonly Span[], index: number): Span | undefined {
  const agent = spans[index]!.step?.agent_id;
  return spans
    .slice(0, index)
    .findLast(({ step }) => step !== null && step.agent_id === agent && step.input_messages.length > 0);
}

interface TurnProps {
  span: Span;
  previous: Span | undefined;
  /** Whether the conversation is scrolled to it. */
  isOpened: boolean;
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

function Turn({ span, previous, isOpened, state, go }: TurnProps) {
  const { step } = span;
  const index = state.stepOf.value.get(span.span_id) ?? -1;
  const { worst, decisive } = state.detections.value;
  const severity = severityOf(decisive[index] ?? 0);
  const isEvidence = severity === null && (worst[index] ?? 0) > 0;
  const isSelected = index === state.selected.value;
  const isBlamed = index === decisiveStep(state.verdict.value);
  const item = useRef<HTMLLIElement>(null);
  useShownItem(item, isOpened);
  return (
    <li
      ref={item}
      class={`${styles.turn} ${isSelected ? styles.selected : ''} ${severity ? styles[severity] : isEvidence ? styles.evidence : ''}`}
    >
      <div class={styles.head}>
        <KindGlyph kind={step?.kind ?? 'other'} />
        <button
          type="button"
          class={styles.step}
          aria-current={isSelected}
          onClick={() => go({ spanId: span.span_id })}
        >
          step {index}
        </button>
        <bdi class={styles.who}>{visibleText((step?.agent_id ?? span.name).slice(0, 100))}</bdi>
        {severity && <SeverityMark severity={severity} hasLabel />}
        {isBlamed && <strong>Where it went wrong</strong>}
        {isEvidence && (
          <span class={styles.label} title="A detection refers to this step, and names another one as the cause.">
            evidence
          </span>
        )}
        <span class={styles.tokens}>{cumulativeTokens(state, index)}</span>
      </div>
      {step?.tool ? <ToolTurn span={span} /> : <ModelTurn span={span} previous={previous} />}
    </li>
  );
}

/** A call with its result. */
function ToolTurn({ span: { step } }: { span: Span }) {
  const tool = step!.tool!;
  return (
    <div class={styles.tool}>
      <bdi class={styles.name}>{visibleText(tool.name.slice(0, 200))}</bdi>
      <JsonTree value={tool.arguments} />
      <span class={styles.label}>{step!.error === null ? 'result' : 'error'}</span>
      {step!.error !== null && <LongText text={step!.error.message || step!.error.type} />}
      {tool.result !== null && <JsonTree value={tool.result} />}
      {tool.result === null && step!.error === null && <span class={styles.none}>no result was sent</span>}
    </div>
  );
}

function ModelTurn({ span: { step, name }, previous }: { span: Span; previous: Span | undefined }) {
  if (step === null) return <span>{visibleText(name)}</span>;
  const sent = newMessages(step.input_messages, previous?.step?.input_messages ?? []);
  const hasMessages = sent.length + step.output_messages.length > 0;
  return (
    <ul class={styles.messages}>
      {sent.map((message, index) => (
        <MessageItem key={`sent ${index}`} message={message} quote={null} isOutput={false} />
      ))}
      {step.output_messages.map((message, index) => (
        <MessageItem key={`answer ${index}`} message={message} quote={null} isOutput />
      ))}
      {!hasMessages && step.output !== '' && (
        <li>
          <LongText text={step.output} />
        </li>
      )}
      {step.error !== null && (
        <li class={styles.failed}>
          <LongText text={`${step.error.type} ${step.error.message}`.trim()} />
        </li>
      )}
    </ul>
  );
}

/** Tokens of the run up to and including this step. */
function cumulativeTokens(state: TraceState, step: number): string {
  const sum = state.tokensUpTo.value[step] ?? 0;
  return sum > 0 ? `${shortCount(sum)} tokens so far` : '';
}
