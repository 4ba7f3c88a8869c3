import { useMemo } from 'preact/hooks';
import { type Change, type DiffLine, diffLinesOf } from '../../parts/diff-lines.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';

interface PlanChangeProps {
  /** A short name of the changed target; empty for none. */
  name: string;
  change: Change;
}

/** The diff of one change of a plan. */
export function PlanChange({ name, change }: PlanChangeProps) {
  const { format, before, after } = change;
  const lines = useMemo(() => diffLinesOf(change), [format, before, after]);
  const shown = visibleText(name);
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
