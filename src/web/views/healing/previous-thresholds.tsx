import type { HealingOperation } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import style from './healing.module.css';
import { newlySetThresholds } from './newly-set-thresholds.ts';

/** The thresholds in effect before the plan of detectors that have no threshold of their own yet. */
export function PreviousThresholds({ plan }: { plan: HealingOperation }) {
  const detectors = newlySetThresholds(plan);
  const isUsed = detectors.length > 0 && tenantId.value !== null;
  const overrides = useQuery(isUsed ? `detectors/overrides/${tenantId.value}` : null, (signal) =>
    server.settings.overrides({ tenant_id: tenantId.value! }, { signal }),
  );
  const known = detectors.flatMap((detector) => {
    const threshold = overrides.value.value?.[detector]?.calibrated;
    return threshold === undefined ? [] : [`${detector} ${threshold}`];
  });
  if (known.length === 0) return null;
  return <p class={style.none}>Without the plan, the calibrated threshold applies ({known.join(', ')}).</p>;
}
