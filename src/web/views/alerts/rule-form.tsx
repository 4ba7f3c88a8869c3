import { useSignal } from '@preact/signals';
import type { NotificationPreferences } from '../../../client/misstep-client.generated.ts';
import { may } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import style from './alerts-view.module.css';
import type { SaveAlerts } from './save-alerts.ts';
import { SeverityChoice } from './severity-choice.tsx';

interface RuleFormProps {
  value: NotificationPreferences;
  save: SaveAlerts;
}

/** The lowest severity that alerts, and quiet hours in which alerts are held. */
export function RuleForm({ value, save }: RuleFormProps) {
  if (!may('write')) return <p>{rulesText(value)}</p>;
  return <RuleFields value={value} save={save} />;
}

function rulesText({ min_severity, quiet_hours: { enabled, start, end, timezone } }: NotificationPreferences): string {
  const quiet = enabled ? `Alerts are held from ${start} to ${end} (${timezone}).` : 'No quiet hours are set.';
  return `Detections of severity ${min_severity} and above are sent. ${quiet}`;
}

function RuleFields({ value, save }: RuleFormProps) {
  const rules = useSignal({ min_severity: value.min_severity, ...value.quiet_hours });
  const change = (members: Partial<typeof rules.value>) => {
    rules.value = { ...rules.value, ...members };
  };

  function submit(event: Event) {
    event.preventDefault();
    const { min_severity, ...quiet_hours } = rules.value;
    void save({ min_severity, quiet_hours }, 'The rules are saved.');
  }

  const { min_severity, enabled, start, end, timezone, severity_floor_during } = rules.value;
  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="Rules">
      <SeverityChoice
        label="Severity that alerts"
        value={min_severity}
        choose={(severity) => change({ min_severity: severity })}
      />
      <label class={form.choice}>
        <input
          type="checkbox"
          checked={enabled}
          onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
        />
        Hold alerts in quiet hours
      </label>
      {enabled && (
        <div class={style.quietHours}>
          <Field label="From" hint="Such as 22:00" value={start} onChange={(text) => change({ start: text })} />
          <Field label="Until" hint="Such as 07:00" value={end} onChange={(text) => change({ end: text })} />
          <Field
            label="Time zone"
            hint="Such as Europe/Vienna"
            value={timezone}
            onChange={(text) => change({ timezone: text })}
          />
          <SeverityChoice
            label="Sent in quiet hours, too"
            value={severity_floor_during}
            choose={(severity) => change({ severity_floor_during: severity })}
          />
        </div>
      )}
      <div>
        <Button type="submit">Save rules</Button>
      </div>
    </form>
  );
}
