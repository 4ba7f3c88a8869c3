import { useState } from 'preact/hooks';
import { count } from './amounts.ts';
import type { DiffLine } from './diff-lines.ts';
import styles from './diff-view.module.css';
import { visibleText } from './visible-text.ts';

const SIGNS = { same: ' ', added: '+', removed: '−', place: '' } as const;
const SCREEN_READER_PREFIX = { same: '', added: 'added: ', removed: 'removed: ', place: '' } as const;
const PAGE_SIZE = 200;
const MAX_LINE_LENGTH = 2_000;

/** Lines of a diff. Each has a sign, so that colour is not the only difference. */
export function DiffView({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  return (
    <figure class={styles.diff} aria-label={label}>
      <pre dir="auto">
        {lines.slice(0, limit).map(({ kind, text }, index) => (
          <div key={index} class={styles[kind]}>
            <span class={styles.sign} aria-hidden="true">
              {SIGNS[kind]}
            </span>
            {SCREEN_READER_PREFIX[kind] !== '' && <span class="visually-hidden">{SCREEN_READER_PREFIX[kind]}</span>}
            <span>{visibleText(text.slice(0, MAX_LINE_LENGTH))}</span>
          </div>
        ))}
      </pre>
      {limit < lines.length && (
        <button type="button" onClick={() => setLimit(limit + PAGE_SIZE)}>
          Show {count(Math.min(PAGE_SIZE, lines.length - limit))} more lines
        </button>
      )}
    </figure>
  );
}
