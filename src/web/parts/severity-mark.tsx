import type { Severity } from '../../client/misstep-client.generated.ts';
import styles from './severity-mark.module.css';

/** Each severity has its own shape, so that colour is not the only difference. */
const SHAPES: Readonly<Record<Severity, string>> = {
  critical: 'M4.2 1h5.6L13 4.2v5.6L9.8 13H4.2L1 9.8V4.2z',
  warning: 'M7 1 13.4 12.5H.6z',
  info: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z',
  observation: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z',
};

interface SeverityMarkProps {
  severity: Severity;
  /** Shows the name; otherwise only screen readers read it. */
  hasLabel?: boolean;
}

export function SeverityMark({ severity, hasLabel = false }: SeverityMarkProps) {
  return (
    <span class={`${styles.mark} ${styles[severity]}`}>
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d={SHAPES[severity]} />
      </svg>
      <span class={hasLabel ? styles.word : 'visually-hidden'}>{severity}</span>
    </span>
  );
}
