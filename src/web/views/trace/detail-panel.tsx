import type { Span } from '../../../client/misstep-client.generated.ts';
import { containsText } from '../../parts/json-entries.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import type { DetailTab } from '../../trace-model/quote-tab.ts';
import { MessageList } from './message-list.tsx';
import { StateOfStep } from './state-of-step.tsx';
import styles from './step-detail.module.css';

interface DetailPanelProps {
  traceId: string;
  span: Span;
  tab: DetailTab;
  quote: string | null;
}

/** One tab of the step details. All data of the trace is escaped. */
export function DetailPanel({ traceId, span, tab, quote }: DetailPanelProps) {
  return (
    <div class={styles.content} key={`${span.span_id} ${tab}`}>
      <TabContent traceId={traceId} span={span} tab={tab} quote={quote} />
    </div>
  );
}

function TabContent({ traceId, span, tab, quote }: DetailPanelProps) {
  const { step } = span;
  switch (tab) {
    case 'input':
      return step?.tool ? (
        <ValueOrText value={step.tool.arguments} text={step.input} quote={quote} />
      ) : (
        <TextOrNote text={step?.input ?? ''} note="The sender gave no input for this step." quote={quote} />
      );
    case 'output':
      return <Output span={span} quote={quote} />;
    case 'messages':
      return step && step.input_messages.length + step.output_messages.length > 0 ? (
        <MessageList key={span.span_id} sent={step.input_messages} received={step.output_messages} quote={quote} />
      ) : (
        <p class={styles.note}>This step has no messages: it is not a model call, or its sender omits them.</p>
      );
    case 'attributes':
      return <Attributes span={span} quote={quote} />;
    case 'state':
      return <StateOfStep traceId={traceId} span={span} />;
    case 'raw':
      return <JsonTree value={span} quote={quote} />;
  }
}

function Output({ span, quote }: { span: Span; quote: string | null }) {
  const { step, status } = span;
  const error = step?.error ?? null;
  const message = error?.message || (status.code === 2 ? status.message : '');
  return (
    <>
      {(error !== null || message !== '') && (
        <div class={styles.error}>
          <strong>{error?.type ? visibleText(error.type) : 'Error'}</strong>
          {message !== '' && <LongText text={message} quote={quote} />}
        </div>
      )}
      {step?.tool && step.tool.result !== null ? (
        <ValueOrText value={step.tool.result} text={step.output} quote={quote} />
      ) : (
        <TextOrNote
          text={step?.output ?? ''}
          note={error === null && message === '' ? 'The sender gave no output for this step.' : ''}
          quote={quote}
        />
      )}
    </>
  );
}

function Attributes({ span, quote }: { span: Span; quote: string | null }) {
  return (
    <>
      <JsonTree value={span.attributes} quote={quote} />
      {span.events.length > 0 && (
        <>
          <h3>Events</h3>
          <JsonTree value={span.events} quote={quote} />
        </>
      )}
      {span.links.length > 0 && (
        <>
          <h3>Links</h3>
          <JsonTree value={span.links} quote={quote} />
        </>
      )}
      <h3>Resource</h3>
      <JsonTree value={span.resource} quote={quote} />
    </>
  );
}

/** Shows JSON in a text as a tree, because senders serialise objects. */
function TextOrNote({ text, note, quote }: { text: string; note: string; quote: string | null }) {
  if (text === '') return note === '' ? null : <p class={styles.note}>{note}</p>;
  const value = parseJson(text);
  return value === null ? (
    <LongText text={text} quote={quote} />
  ) : (
    <ValueOrText value={value} text={text} quote={quote} />
  );
}

/** A quote across several members can only be marked in the text. */
function ValueOrText({ value, text, quote }: { value: unknown; text: string; quote: string | null }) {
  const isOnlyInText = quote !== null && quote !== '' && text.includes(quote) && !containsText(value, quote);
  return isOnlyInText ? <LongText text={text} quote={quote} /> : <JsonTree value={value} quote={quote} />;
}

const MAX_PARSED_LENGTH = 2_000_000;

/** Null for a text that is not a JSON object or array. */
function parseJson(text: string): object | null {
  if (text.length > MAX_PARSED_LENGTH || !/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
