import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { type DetectorRow, hasPreviewSwitch, isPreviewOnly, previewText, settingOfOn } from './detector-row.ts';
import style from './detectors-view.module.css';

type Switched = Pick<DetectorRow, 'detector' | 'title' | 'enabled' | 'reportsPreviews' | 'subtypes'>;

/**
 * A switch that enables or disables a detector; a word for a key that may only read. A detector with previews only is off until
 * the tenant switches it on: it runs, and reports nothing.
 */
export function DetectorSwitch({ row }: { row: Switched }) {
  const isOn = row.enabled && !isPreviewOnly(row);
  if (!hasScope('write')) return <>{isOn ? 'on' : 'off'}</>;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={row.title}
      class={style.switch}
      onClick={() => void switchDetector(row, isOn ? false : settingOfOn(row))}
    />
  );
}

/** Whether the detector reports its previews. */
export function PreviewState({ row }: { row: Switched }) {
  const text = previewText(row);
  return text === null ? null : <span class={`${style.second} ${style.preview}`}>{text}</span>;
}

/** A switch that reports the previews of a detector; only its state if it cannot be switched apart from the detector. */
export function PreviewSwitch({ row }: { row: Switched }) {
  if (!hasScope('write') || !hasPreviewSwitch(row)) return <PreviewState row={row} />;
  const { reportsPreviews } = row;
  return (
    <span class={style.beside}>
      <button
        type="button"
        role="switch"
        aria-checked={reportsPreviews}
        aria-label="Report previews"
        class={style.switch}
        onClick={() => void switchDetector(row, reportsPreviews ? null : true)}
      />
      Report previews
    </span>
  );
}

/** @param isOn null for the default of the detector, which does not report previews */
async function switchDetector(row: Switched, isOn: boolean | null): Promise<void> {
  const { detector, title, enabled, reportsPreviews } = row;
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  const previous = enabled && !reportsPreviews ? null : enabled;
  const next = { ...row, enabled: isOn ?? true, reportsPreviews: isOn === true };
  try {
    await server.settings.switchDetectors({ tenant_id, body: { [detector]: isOn } });
    showToast(
      `${title} is ${stateText(next)}. It applies from the next trace.`,
      () => void switchDetector(next, previous),
    );
  } catch (error) {
    showFailure(`${title} could not be switched on or off`, error);
  }
  queries.invalidate('detectors/');
}

function stateText(row: Switched): string {
  if (!row.enabled) return 'off';
  const previews = previewText(row);
  return previews === null ? 'on' : `on, ${previews}`;
}
