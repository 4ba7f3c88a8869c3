import { useState } from 'preact/hooks';
import { count } from './amounts.ts';
import type { DiffLine } from './diff-lines.ts';
import styles from './diff-view.module.css';
import { visibleText } from './visible-text.ts';

const SIGNS = { same: ' ', added: '+', removed: '−', place: '' } as const;
const SPOKEN = { same: '', added: 'added: ', removed: 'removed: ', place: '' } as const;
const PAGE = 200;
const LONGEST_LINE = 2_000;

/** Lines of a change: each has a sign, so that the colour only repeats it. */
export function DiffView({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const [most, setMost] = useState(PAGE);
  return (
    <figure class={styles.diff} aria-label={label}>
      <pre dir="auto">
        {lines.slice(0, most).map(({ kind, text }, at) => (
          <div key={at} class={styles[kind]}>
            <span class={styles.sign} aria-hidden="true">
              {SIGNS[kind]}
            </span>
            {SPOKEN[kind] !== '' && <span class="visually-hidden">{SPOKEN[kind]}</span>}
            <span>{visibleText(text.slice(0, LONGEST_LINE))}</span>
          </div>
        ))}
      </pre>
      {most < lines.length && (
        <button type="button" onClick={() => setMost(most + PAGE)}>
          Show {count(Math.min(PAGE, lines.length - most))} more lines
        </button>
      )}
    </figure>
  );
}
