import { Link } from '../address/link.tsx';
import { addressOf } from '../address/router.ts';
import { PageHeading } from '../parts/page-heading.tsx';
import style from './unknown-view.module.css';

/** Shown for an unknown address. */
export function UnknownView() {
  return (
    <div class={style.view}>
      <PageHeading title="This page does not exist" />
      <p>
        The address is mistyped or belongs to another version of Misstep.{' '}
        <Link to={addressOf('home')}>Go to the home page</Link>
      </p>
    </div>
  );
}
