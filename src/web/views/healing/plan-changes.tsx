import { useMemo } from 'preact/hooks';
import { type Change, diffLinesOf } from '../../parts/diff-lines.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';

interface PlanChangeProps {
  /** What is changed, in a few words; empty for none. */
  name: string;
  change: Change;
}

/** One change of a plan as lines with + and −. */
export function PlanChange({ name, change }: PlanChangeProps) {
  const { format, before, after } = change;
  const lines = useMemo(() => diffLinesOf(change), [format, before, after]);
  const shown = visibleText(name);
  return (
    <div class={style.part}>
      {shown !== '' && <bdi class={style.note}>{shown}</bdi>}
      <DiffView lines={lines} label={shown === '' ? 'Change' : shown} />
    </div>
  );
}
