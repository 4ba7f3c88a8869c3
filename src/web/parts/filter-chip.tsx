import { Link } from '../address/link.tsx';
import style from './filter-chip.module.css';
import { Icon } from './icon.tsx';

interface FilterChipProps {
  /** The name of the filter. */
  label: string;
  value: string;
  /** Address of the list without this filter. */
  removeAddress: string;
}

/** An active filter of a list. Its link removes the filter. */
export function FilterChip({ label, value, removeAddress }: FilterChipProps) {
  return (
    <Link to={removeAddress} class={style.chip} aria-label={`Remove filter ${label}: ${value}`}>
      <span class={style.name}>{label}</span> <bdi>{value}</bdi> <Icon name="close" />
    </Link>
  );
}
