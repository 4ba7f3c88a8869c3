import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';

export interface ThresholdOverride {
  /** A detector, or `detector/subtype`. */
  key: string;
  /** Display name. */
  name: string;
  /** The previous override; null for none. */
  previous: number | null;
}

/** Saves an override, null for none, and offers to undo it. */
export async function saveThreshold(override: ThresholdOverride, threshold: number | null): Promise<void> {
  const { key, name, previous } = override;
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  try {
    await server.settings.changeOverrides({ tenant_id, body: { [key]: threshold } });
    showToast(
      `The threshold of ${name} is saved. It applies from the next trace.`,
      () => void saveThreshold({ ...override, previous: threshold }, previous),
    );
  } catch (error) {
    showFailure(`The threshold of ${name} could not be saved`, error);
  }
  queries.invalidate('detectors/');
}
