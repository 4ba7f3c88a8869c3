import type { Severity } from '../../../client/misstep-client.generated.ts';
import form from '../../parts/form.module.css';

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info', 'observation'];

interface SeveritySelectProps {
  label: string;
  value: Severity;
  onSelect(severity: Severity): void;
}

/** Selects the minimum severity of a rule. */
export function SeveritySelect({ label, value, onSelect }: SeveritySelectProps) {
  return (
    <label class={form.select}>
      {label}
      <select value={value} onChange={({ currentTarget }) => onSelect(currentTarget.value as Severity)}>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {severity === 'critical' ? severity : `${severity} and above`}
          </option>
        ))}
      </select>
    </label>
  );
}
