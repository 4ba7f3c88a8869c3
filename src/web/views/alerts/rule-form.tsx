import { useSignal } from '@preact/signals';
import type { NotificationPreferences } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import style from './alerts-view.module.css';
import type { SaveAlerts } from './save-alerts.ts';
import { SeveritySelect } from './severity-select.tsx';

interface RuleFormProps {
  value: NotificationPreferences;
  save: SaveAlerts;
}

/** The minimum severity of alerts, the quiet hours, and the size from which alerts are sent as one digest. */
export function RuleForm({ value, save }: RuleFormProps) {
  if (!hasScope('write')) return <p>{rulesText(value)}</p>;
  return <RuleFields value={value} save={save} />;
}

function rulesText({ min_severity, quiet_hours, digest }: NotificationPreferences): string {
  const { enabled, start, end, timezone } = quiet_hours;
  const quietHoursText = enabled ? `Alerts are held from ${start} to ${end} (${timezone}).` : 'No quiet hours are set.';
  const digestText = digest.enabled ? ` ${digestRule(String(digest.more_than))}` : '';
  return `Detections of severity ${min_severity} and above are sent. ${quietHoursText}${digestText}`;
}

function digestRule(moreThan: string): string {
  return `When more than ${moreThan} alerts are waiting at the end of the quiet hours, they are sent as one message.`;
}

function RuleFields({ value, save }: RuleFormProps) {
  const rules = useSignal({
    min_severity: value.min_severity,
    ...value.quiet_hours,
    isDigest: value.digest.enabled,
    moreThan: String(value.digest.more_than),
  });
  const error = useSignal<string | null>(null);
  const change = (changes: Partial<typeof rules.value>) => {
    rules.value = { ...rules.value, ...changes };
  };

  function submit(event: Event) {
    event.preventDefault();
    const { min_severity, isDigest, moreThan, ...quiet_hours } = rules.value;
    const more_than = moreThan.trim() === '' ? Number.NaN : Number(moreThan);
    if (isDigest && !(Number.isInteger(more_than) && more_than >= 1)) {
      error.value = 'Enter a whole number of 1 or more.';
      return;
    }
    const digest = isDigest ? { enabled: true, more_than } : { enabled: false };
    void save({ min_severity, quiet_hours, digest }, 'The rules are saved.');
  }

  const { min_severity, enabled, start, end, timezone, severity_floor_during, isDigest, moreThan } = rules.value;
  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="Rules">
      <SeveritySelect
        label="Minimum severity"
        value={min_severity}
        onSelect={(severity) => change({ min_severity: severity })}
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
          <SeveritySelect
            label="Also sent in quiet hours"
            value={severity_floor_during}
            onSelect={(severity) => change({ severity_floor_during: severity })}
          />
        </div>
      )}
      <label class={form.choice}>
        <input
          type="checkbox"
          checked={isDigest}
          onChange={({ currentTarget }) => change({ isDigest: currentTarget.checked })}
        />
        Send many waiting alerts as one message
      </label>
      {isDigest && (
        <Field
          label="More than this many alerts"
          hint={`Alerts wait only in quiet hours. ${digestRule(moreThan.trim() || '…')}`}
          isNumber
          value={moreThan}
          error={error.value}
          onChange={(text) => {
            change({ moreThan: text });
            error.value = null;
          }}
        />
      )}
      <div>
        <Button type="submit">Save rules</Button>
      </div>
    </form>
  );
}
