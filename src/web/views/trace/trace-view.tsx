import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Detection, Trace, TraceOutline } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { queries, useIsSlow } from '../../data/queries.ts';
import { ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { readTraceAddress } from './trace-address.ts';
import style from './trace-page.module.css';
import { TracePage } from './trace-page.tsx';
import { useTrace } from './trace-queries.ts';
import { TraceState } from './trace-state.ts';

/** The page of one run: what went wrong, where, why, and how to fix it. */
export function TraceView() {
  const traceId = currentRoute.value?.params.id ?? '';
  return <LoadedTrace key={traceId} traceId={traceId} />;
}

function LoadedTrace({ traceId }: { traceId: string }) {
  const { trace, outline, detections } = useTrace(traceId);
  const isSlow = useIsSlow(outline);
  const error = trace.value.error ?? outline.value.error ?? detections.value.error;
  const parts = { trace: trace.value.value, outline: outline.value.value, detections: detections.value.value };
  const name = parts.trace?.name;
  useEffect(() => {
    document.title = `${name === undefined ? 'Trace' : visibleText(name.slice(0, 100))} · Misstep`;
  }, [name]);
  if (parts.trace === undefined || parts.outline === undefined || parts.detections === undefined)
    return (
      <div class={style.unread}>
        <p>
          <Link to={addressOf('traces')}>‹ All traces</Link>
        </p>
        <PageHeading title="Trace" />
        {error === undefined ? (
          isSlow && <LoadingPlaceholder />
        ) : (
          <ErrorNotice
            title="The trace cannot be shown"
            error={error}
            retry={() => queries.invalidate(`trace:${traceId}:`)}
          />
        )}
      </div>
    );
  return <ReadyTrace traceId={traceId} trace={parts.trace} outline={parts.outline} detections={parts.detections} />;
}

interface ReadyTraceProps {
  traceId: string;
  trace: Trace;
  outline: TraceOutline;
  detections: readonly Detection[];
}

function ReadyTrace({ traceId, trace, outline, detections }: ReadyTraceProps) {
  const address = useComputed(() => readTraceAddress(currentRoute.value?.query ?? {}));
  const state = useMemo(() => new TraceState({ trace, outline, detections, address }), []);
  const shown = useRef(outline);
  useEffect(() => {
    state.trace.value = trace;
    state.list.value = detections;
    if (shown.current !== outline) state.update(outline);
    shown.current = outline;
  }, [trace, outline, detections]);
  return <TracePage traceId={traceId} state={state} />;
}
