import { useMemo } from 'preact/hooks';
import { type Change, type DiffLine, diffLinesOf } from '../../parts/diff-lines.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { ProposedText } from '../../parts/proposed-text.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';

interface PlanChangeProps {
  /** What the change is, or where; empty for none. */
  caption: string;
  change: Change;
}

/** One change of a plan: a diff, or the proposed text if it is not known what it replaces. */
export function PlanChange({ caption, change }: PlanChangeProps) {
  const { format, before, after } = change;
  const lines = useMemo(() => diffLinesOf(change), [format, before, after]);
  const shown = visibleText(caption);
  if (format === 'text' && before === null)
    return (
      <figure class={style.proposal}>
        {shown !== '' && <figcaption dir="auto">{shown}</figcaption>}
        <ProposedText text={after} />
      </figure>
    );
  return (
    <div class={style.part}>
      {shown !== '' && <bdi class={style.note}>{shown}</bdi>}
      <DiffView lines={withoutOnlyPlace(lines)} label={shown === '' ? 'Change' : shown} />
    </div>
  );
}

/** Without the line numbers of a diff that has one place. */
function withoutOnlyPlace(lines: readonly DiffLine[]): readonly DiffLine[] {
  return lines.filter(({ kind }) => kind === 'place').length > 1 ? lines : lines.filter(({ kind }) => kind !== 'place');
}
