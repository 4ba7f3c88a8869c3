import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  label: string;
  /** Zero-based index of the first item on the page. */
  from: number;
  size: number;
  total: number;
  onPage(from: number): void;
}

/** `21–40 of 318`, with buttons for the previous and the next page. */
export function Pager({ label, from, size, total, onPage }: PagerProps) {
  if (total <= size && from === 0) return null;
  return (
    <nav class={styles.pager} aria-label={label}>
      <Button disabled={from === 0} onClick={() => onPage(Math.max(0, from - size))}>
        ‹ Earlier
      </Button>
      <span>
        {count(from + 1)}–{count(Math.min(total, from + size))} of {count(total)}
      </span>
      <Button disabled={from + size >= total} onClick={() => onPage(from + size)}>
        Later ›
      </Button>
    </nav>
  );
}
