import { useSignal } from '@preact/signals';
import type { DetectionType, NotificationPreferences, Severity } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import style from './alerts-view.module.css';
import type { SaveAlerts } from './save-alerts.ts';
import { SeveritySelect } from './severity-select.tsx';

interface DetectorRulesProps {
  value: NotificationPreferences;
  save: SaveAlerts;
}

type Titles = readonly { detector: DetectionType; title: string }[];

/** Rules with their own minimum severity for single detectors. */
export function DetectorRules({ value: { per_detector }, save }: DetectorRulesProps) {
  const tenant_id = tenantId.value;
  const detectors = useQuery(tenant_id === null ? null : `detectors/${tenant_id}/switches`, (signal) =>
    server.settings.detectors({ tenant_id: tenant_id! }, { signal }),
  );
  const titles: Titles = (detectors.value.value?.items as Titles | undefined) ?? [];
  const rules = Object.entries(per_detector) as [DetectionType, { min_severity: Severity }][];
  const canEdit = hasScope('write');
  const saveRule = (detector: DetectionType, min_severity: Severity | null) => {
    const { [detector]: _removed, ...others } = per_detector;
    const changed = min_severity === null ? others : { ...others, [detector]: { min_severity } };
    const action = min_severity === null ? 'removed' : 'saved';
    return save({ per_detector: changed }, `The rule for ${titleOf(titles, detector)} is ${action}.`);
  };
  if (rules.length === 0 && !canEdit) return null;
  return (
    <div class={style.detectorRules}>
      <h3>Rules for single detectors</h3>
      <ul class={style.ruleList} aria-label="Rules for single detectors">
        {rules.map(([detector, { min_severity }]) => (
          <li key={detector} class={style.rule}>
            {canEdit ? (
              <>
                <SeveritySelect
                  label={titleOf(titles, detector)}
                  value={min_severity}
                  onSelect={(severity) => void saveRule(detector, severity)}
                />
                <Button
                  variant="danger"
                  label={`Remove the rule for ${titleOf(titles, detector)}`}
                  onClick={() => void saveRule(detector, null)}
                >
                  Remove
                </Button>
              </>
            ) : (
              `${titleOf(titles, detector)}: ${min_severity} and above`
            )}
          </li>
        ))}
      </ul>
      {canEdit && (
        <NewRule titles={titles.filter(({ detector }) => per_detector[detector] === undefined)} add={saveRule} />
      )}
    </div>
  );
}

interface NewRuleProps {
  titles: Titles;
  add(detector: DetectionType, severity: Severity): Promise<unknown>;
}

function NewRule({ titles, add }: NewRuleProps) {
  const detector = useSignal<DetectionType | null>(null);
  const severity = useSignal<Severity>('info');
  const selected = titles.find((entry) => entry.detector === detector.value) ?? titles[0];
  if (!selected) return null;
  return (
    <form
      class={style.rule}
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault();
        void add(selected.detector, severity.value);
      }}
    >
      <label class={form.select}>
        Detector
        <select
          value={selected.detector}
          onChange={({ currentTarget }) => set(detector, currentTarget.value as DetectionType)}
        >
          {titles.map(({ detector: name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <SeveritySelect label="Alerts at" value={severity.value} onSelect={(value) => set(severity, value)} />
      <Button type="submit">Add rule</Button>
    </form>
  );
}

function titleOf(titles: Titles, detector: DetectionType): string {
  return titles.find((entry) => entry.detector === detector)?.title ?? detector;
}
