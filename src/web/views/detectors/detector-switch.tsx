import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';

type Switched = Pick<DetectorRow, 'detector' | 'title' | 'enabled'>;

/** A switch that enables or disables a detector; a word for a key that may only read. */
export function DetectorSwitch({ row }: { row: Switched }) {
  if (!hasScope('write')) return <>{row.enabled ? 'on' : 'off'}</>;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={row.enabled}
      aria-label={row.title}
      class={style.switch}
      onClick={() => void switchDetector(row, !row.enabled)}
    />
  );
}

async function switchDetector({ detector, title, enabled }: Switched, isOn: boolean): Promise<void> {
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  try {
    await server.settings.switchDetectors({ tenant_id, body: { [detector]: isOn } });
    showToast(
      `${title} is ${isOn ? 'on' : 'off'}. It applies from the next trace.`,
      () => void switchDetector({ detector, title, enabled: isOn }, enabled),
    );
  } catch (error) {
    showFailure(`${title} could not be switched on or off`, error);
  }
  queries.invalidate('detectors/');
}
