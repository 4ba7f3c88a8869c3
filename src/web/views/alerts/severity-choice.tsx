import type { Severity } from '../../../client/misstep-client.generated.ts';
import form from '../../parts/form.module.css';

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info', 'observation'];

interface SeverityChoiceProps {
  label: string;
  value: Severity;
  choose(severity: Severity): void;
}

/** The lowest severity of a rule. */
export function SeverityChoice({ label, value, choose }: SeverityChoiceProps) {
  return (
    <label class={form.select}>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value as Severity)}>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {severity === 'critical' ? severity : `${severity} and above`}
          </option>
        ))}
      </select>
    </label>
  );
}
