import type { Detection, DetectionType, TraceSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { useTraceSummaries } from '../../data/trace-summary.ts';
import { count, percent, pluralize } from '../../parts/amounts.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Prose } from '../../parts/prose.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { zonedTimeText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { type DetectorRow, isPreviewOnly } from './detector-row.ts';
import { DetectorSwitch, PreviewSwitch } from './detector-switch.tsx';
import style from './detectors-view.module.css';
import { sourceFacts, tierText } from './figure-source.ts';
import { previewLabelsText } from './figure-texts.ts';
import { FeedbackPrecision, Precision, Recall } from './measured.tsx';
import { Recommendations } from './recommendations.tsx';
import { runText } from './run-text.ts';
import { SubtypeTable } from './subtype-table.tsx';
import { Threshold } from './threshold-form.tsx';

/** One detector: what it detects, what it detected here, its threshold with a preview of a change, and its figures. */
export function DetectorDetail({ row }: { row: DetectorRow }) {
  const { title, measured, threshold, enabled, subtypes } = row;
  const reported = subtypes.filter((subtype) => subtype.reported).length;
  return (
    <div class={style.view}>
      <Link to={addressOf('detectors')} class={style.back}>
        ‹ All detectors
      </Link>
      <PageHeading title={title}>
        <span class={style.state}>
          <DetectorSwitch row={row} /> {hasScope('write') && !isPreviewOnly(row) && (enabled ? 'on' : 'off')}
          <PreviewSwitch row={row} />
        </span>
      </PageHeading>
      <p>
        {measured && `Detects, for example: ${examplesOf(measured.subtypes)}. `}
        {reported} of {pluralize(subtypes.length, 'subtype')} {reported === 1 ? 'is' : 'are'} reported: see{' '}
        <a href="#subtypes">subtypes</a>.{isPreviewOnly(row) && ' To report its previews, switch the detector on.'}
      </p>
      <div class={style.summary}>
        <section aria-labelledby="here">
          <h2 id="here">Detections here</h2>
          <RecentDetections detector={row.detector} />
        </section>
        {threshold && (
          <section aria-label="Threshold">
            <Threshold row={row} threshold={threshold} />
          </section>
        )}
        <section aria-labelledby="measured">
          <h2 id="measured">Measured on labelled runs</h2>
          <Figures row={row} />
        </section>
      </div>
      <Recommendations row={row} />
      {measured && <SubtypeTable row={row} subtypes={measured.subtypes} />}
    </div>
  );
}

const MAX_EXAMPLES = 3;

/** What the first reported subtypes detect, in words. */
function examplesOf(subtypes: NonNullable<DetectorRow['measured']>['subtypes']): string {
  const reportedFirst = [...subtypes].sort(
    (a, b) => Number(a.maturity === 'preview') - Number(b.maturity === 'preview'),
  );
  return reportedFirst
    .slice(0, MAX_EXAMPLES)
    .map(({ title }) => title[0]!.toLowerCase() + title.slice(1))
    .join('; ');
}

/** Recall, precision and flagged healthy runs, with the data that they were measured on. */
function Figures({ row: { measured, feedback, tier } }: { row: DetectorRow }) {
  const flagged = measured?.healthy_flag_rate ?? null;
  const previewLabels = measured ? previewLabelsText(measured) : null;
  return (
    <>
      <dl class={style.figures}>
        <dt>Recall</dt>
        <dd>
          <Recall figures={measured} />
        </dd>
        <dt>Precision</dt>
        <dd>
          <Precision figures={measured} />
        </dd>
        {flagged && (
          <>
            <dt>Healthy runs flagged</dt>
            <dd>
              {percent(flagged.rate, 1)}
              <span class={style.second}>
                {count(flagged.flagged_count)} of {flagged.is_sample_count_minimum && 'at least '}
                {count(flagged.sample_count)}
              </span>
            </dd>
          </>
        )}
        {feedback && feedback.precision !== null && (
          <>
            <dt>Precision by your feedback</dt>
            <dd>
              <FeedbackPrecision feedback={feedback} />
            </dd>
          </>
        )}
      </dl>
      {previewLabels !== null && <p class={style.second}>{previewLabels}</p>}
      {measured?.data_set ? (
        <dl class={style.source}>
          {sourceFacts(measured).map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class={style.second}>Nobody labelled this failure in a published set of runs.</p>
      )}
      <p class={style.second}>{tierText(tier)}</p>
    </>
  );
}

const MAX_RECENT = 5;

/** The reported detections of the newest runs, newest first, and the issues that they belong to. */
function RecentDetections({ detector }: { detector: string }) {
  const tenant_id = tenantId.value;
  const detection_type = detector as DetectionType;
  const detections = useQuery(tenant_id === null ? null : `detectors/${tenant_id}/recent/${detector}`, (signal) =>
    server.detections.list(
      { tenant_id: tenant_id!, detection_type, min_severity: 'info', sort: 'started_at', page_size: MAX_RECENT },
      { signal },
    ),
  );
  const { value, error } = detections.value;
  const traces = useTraceSummaries(value?.items.map(({ trace_id }) => trace_id) ?? []);
  if (error !== undefined && !value) return <ErrorNotice title="The detections cannot be shown" error={error} />;
  if (!value) return null;
  if (value.total === 0) return <p class={style.unknown}>It has reported nothing in the stored traces.</p>;
  return (
    <>
      <ul class={style.recent}>
        {value.items.map((detection) => (
          <RecentDetection key={detection.detection_id} detection={detection} trace={traces.get(detection.trace_id)} />
        ))}
      </ul>
      <p>
        <Link to={addressOf('issues', { type: detector })}>Open issues of this detector</Link>
        {value.total > value.items.length && (
          <span class={style.unknown}>
            {' '}
            · {value.items.length} of {pluralize(value.total, 'detection')}, newest runs first
          </span>
        )}
      </p>
    </>
  );
}

/** The failure, and the run, agent and step that it happened in. */
function RecentDetection({ detection, trace }: { detection: Detection; trace: TraceSummary | undefined }) {
  const { detection_id, trace_id, title, severity } = detection;
  return (
    <li>
      <SeverityMark severity={severity} />
      <span class={style.found}>
        <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>
          <bdi>
            <Prose text={title} />
          </bdi>
        </Link>
        <span class={style.second} dir="auto">
          {visibleText(runText(detection, trace))}
        </span>
        {trace && (
          <time class={style.second} dateTime={trace.started_at}>
            run of {zonedTimeText(trace.started_at)}
          </time>
        )}
      </span>
    </li>
  );
}
