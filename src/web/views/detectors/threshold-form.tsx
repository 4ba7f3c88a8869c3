import { useSignal } from '@preact/signals';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Prose } from '../../parts/prose.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { saveThreshold } from './save-threshold.ts';
import { thresholdText } from './subtype-threshold.ts';
import { affectedBy, changeOf, MAX_PREVIEWED, PREVIEW_DAYS, thresholdOf } from './threshold-change.ts';
import { type GovernedSubtype, governedSubtypes, groupTexts } from './threshold-groups.ts';

interface ThresholdProps {
  row: DetectorRow;
  threshold: NonNullable<DetectorRow['threshold']>;
}

/** The threshold of each subtype now, and a form that sets one for all of them, with a preview. */
export function Threshold({ row, threshold: { effective, override, adapted } }: ThresholdProps) {
  const { detector, title } = row;
  const subtypes = governedSubtypes(row);
  const text = useSignal(effective.toFixed(2));
  const isChanged = useSignal(false);
  const proposed = thresholdOf(text.value);
  const now = useSignal(Date.now()).value;
  const filter = proposed === null || !isChanged.value ? null : changeOf(detector, subtypes, proposed, now);
  const setting = { key: detector, name: title, previous: override };
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    text.value = event.currentTarget.value;
    isChanged.value = true;
  };
  return (
    <form
      class={style.threshold}
      onSubmit={(event) => {
        event.preventDefault();
        if (proposed !== null) void saveThreshold(setting, proposed);
      }}
    >
      <h2>Threshold</h2>
      <Effective subtypes={subtypes} override={override} />
      {override === null &&
        adapted.map(({ framework, subtype, effective: own }) => (
          <p key={`${framework} ${subtype}`} class={style.second}>
            In traces of {visibleText(framework)}, {subtype.replaceAll('_', ' ')} is adapted to your traffic:{' '}
            {thresholdText(own)}.
          </p>
        ))}
      {hasScope('write') && (
        <>
          <p class={style.second}>{savedText(subtypes, override)}</p>
          <div class={style.values}>
            <input
              type="range"
              aria-label="Threshold of the detector"
              min={0}
              max={1}
              step={0.01}
              value={proposed ?? effective}
              onInput={onInput}
            />
            <input
              type="number"
              aria-label="Threshold of the detector as a number"
              aria-invalid={proposed === null}
              min={0}
              max={1}
              step={0.01}
              value={text.value}
              onInput={onInput}
            />
          </div>
          {proposed === null && <p role="alert">Enter a number from 0 to 1.</p>}
          {filter !== null && proposed !== null && <Preview filter={filter} subtypes={subtypes} proposed={proposed} />}
          <div class={style.values}>
            <Button type="submit" variant="primary" disabled={filter === null}>
              Save
            </Button>
            {override !== null && (
              <Button onClick={() => void saveThreshold(setting, null)}>Use the default thresholds</Button>
            )}
          </div>
        </>
      )}
    </form>
  );
}

/** From which confidence each subtype is reported, and who set that. */
function Effective({ subtypes, override }: { subtypes: readonly GovernedSubtype[]; override: number | null }) {
  const governed = subtypes.filter(({ hasOwn }) => !hasOwn);
  const own = subtypes.filter(({ hasOwn }) => hasOwn);
  const defaults = governed.map(({ title, calibrated }) => ({ title, effective: calibrated }));
  return (
    <>
      <p>
        {override === null
          ? 'A detection is reported from the confidence that is the default of its subtype.'
          : `You set ${thresholdText(override)} for this detector.`}
      </p>
      <ul class={style.groups}>
        {groupTexts(governed).map((group) => (
          <li key={group}>{group}</li>
        ))}
        {own.map(({ subtype, title, effective }) => (
          <li key={subtype}>
            {thresholdText(effective)}: {title} (set for this subtype)
          </li>
        ))}
      </ul>
      {override !== null && <p class={style.second}>The defaults are {groupTexts(defaults).join('. ')}.</p>}
    </>
  );
}

/** What a saved threshold applies to. */
function savedText(subtypes: readonly GovernedSubtype[], override: number | null): string {
  const own = subtypes.filter(({ hasOwn }) => hasOwn).length;
  const replaced = override === null ? 'in place of their defaults' : `in place of ${thresholdText(override)}`;
  const except = own === 0 ? '' : `, except the ${own} with a threshold of ${own === 1 ? 'its' : 'their'} own`;
  const facts = subtypes.some(({ isFact }) => isFact)
    ? ' A fact that reaches its default has the confidence 0.95: only a threshold above 0.95 hides it.'
    : '';
  return `Save sets one threshold for all subtypes, ${replaced}${except}.${facts}`;
}

interface PreviewProps {
  filter: NonNullable<ReturnType<typeof changeOf>>;
  subtypes: readonly GovernedSubtype[];
  proposed: number;
}

const MAX_SHOWN = 5;

/** Recent detections that the change affects, with links to their runs. */
function Preview({ filter, subtypes, proposed }: PreviewProps) {
  const tenant_id = tenantId.value;
  const key = tenant_id === null ? null : `detectors/${tenant_id}/preview/${JSON.stringify(filter)}`;
  const detections = useQuery(key, (signal) =>
    server.detections.list({ tenant_id: tenant_id!, ...filter }, { signal }),
  );
  const { value, error } = detections.value;
  if (error !== undefined && !value) return <ErrorNotice title="The change cannot be previewed" error={error} />;
  if (!value) return <div aria-live="polite" />;
  const { fewer, more } = affectedBy(value.items, subtypes, proposed);
  return (
    <div aria-live="polite">
      <p>
        Last {PREVIEW_DAYS} days: {count(fewer.length)} fewer, {count(more.length)} more
        {value.total > value.items.length && ` among the newest ${MAX_PREVIEWED} detections in this range`}
      </p>
      <ul>
        {[...fewer, ...more].slice(0, MAX_SHOWN).map(({ detection_id, trace_id, title }) => (
          <li key={detection_id}>
            <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>
              <bdi>
                <Prose text={title} />
              </bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
