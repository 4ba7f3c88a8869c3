import { Link } from '../address/link.tsx';
import style from './page-links.module.css';

interface PageLinksProps {
  /** Null on the first page. */
  first: string | null;
  /** Null on the last page. */
  next: string | null;
}

/** Links to the first and the next page of a list with forward cursors. */
export function PageLinks({ first, next }: PageLinksProps) {
  return (
    <nav aria-label="Pages" class={style.pages}>
      {first !== null && <Link to={first}>First page</Link>}
      {next !== null && <Link to={next}>Next page</Link>}
    </nav>
  );
}
