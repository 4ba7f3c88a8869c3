import { Link } from '../address/link.tsx';
import style from './filter-chip.module.css';
import { Icon } from './icon.tsx';

interface FilterChipProps {
  /** What is filtered by. */
  label: string;
  value: string;
  /** Address of the list without this filter. */
  without: string;
}

/** One filter of a list. Its link removes it. */
export function FilterChip({ label, value, without }: FilterChipProps) {
  return (
    <Link to={without} class={style.chip} aria-label={`Remove filter ${label}: ${value}`}>
      <span class={style.name}>{label}</span> <bdi>{value}</bdi> <Icon name="close" />
    </Link>
  );
}
