import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { PageHeading } from '../../parts/page-heading.tsx';
import style from './check.module.css';
import { InjectionCheck } from './injection-check.tsx';
import { SourcesCheck } from './sources-check.tsx';

const KINDS = [
  { id: 'injection', label: 'Prompt injection' },
  { id: 'sources', label: 'Answer against sources' },
] as const;

/** Runs the checks of the server on a pasted text. The text is not stored. */
export function CheckView() {
  const selectedKind = KINDS.find(({ id }) => id === currentRoute.value?.query.what)?.id ?? 'injection';
  return (
    <div class={style.view}>
      <PageHeading title="Check a text" />
      <nav aria-label="Checks" class={style.kinds}>
        {KINDS.map(({ id, label }) => (
          <Link
            key={id}
            to={addressOf('check', id === 'injection' ? {} : { what: id })}
            {...(id === selectedKind ? { 'aria-current': 'page' as const } : {})}
          >
            {label}
          </Link>
        ))}
      </nav>
      {selectedKind === 'injection' ? <InjectionCheck /> : <SourcesCheck />}
    </div>
  );
}
