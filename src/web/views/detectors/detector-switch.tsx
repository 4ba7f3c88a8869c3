import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { type DetectorRow, isPreviewOnly } from './detector-row.ts';
import style from './detectors-view.module.css';

type Switched = Pick<DetectorRow, 'detector' | 'title' | 'enabled' | 'reportsPreviews' | 'subtypes'>;

/**
 * A switch that enables or disables a detector; a word for a key that may only read. A detector with previews only is off until
 * the tenant switches it on: it runs, and reports nothing.
 */
export function DetectorSwitch({ row }: { row: Switched }) {
  const isOnlyPreview = isPreviewOnly(row);
  const isOn = row.enabled && !isOnlyPreview;
  return (
    <>
      {hasScope('write') ? (
        <button
          type="button"
          role="switch"
          aria-checked={isOn}
          aria-label={row.title}
          class={style.switch}
          onClick={() => void switchDetector(row, !isOn)}
        />
      ) : isOn ? (
        'on'
      ) : (
        'off'
      )}
      {isOnlyPreview && (
        <span class={`${style.second} ${style.preview}`} title="Switch it on to report its previews.">
          preview only: reports nothing
        </span>
      )}
    </>
  );
}

/** @param isOn null for the default of the detector */
async function switchDetector(row: Switched, isOn: boolean | null): Promise<void> {
  const { detector, title, enabled, reportsPreviews } = row;
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  const previous = enabled && !reportsPreviews ? null : enabled;
  const next = { ...row, enabled: isOn ?? true, reportsPreviews: isOn === true };
  const state = isPreviewOnly(next) ? 'preview only' : isOn === false ? 'off' : isOn ? 'on, with its previews' : 'on';
  try {
    await server.settings.switchDetectors({ tenant_id, body: { [detector]: isOn } });
    showToast(`${title} is ${state}. It applies from the next trace.`, () => void switchDetector(next, previous));
  } catch (error) {
    showFailure(`${title} could not be switched on or off`, error);
  }
  queries.invalidate('detectors/');
}
