import { useState } from 'preact/hooks';
import { count } from './amounts.ts';
import styles from './long-text.module.css';
import { firstWindow, moreAfter, moreBefore, piecesOf } from './text-window.ts';
import { visibleText } from './visible-text.ts';

interface LongTextProps {
  text: string;
  /** A passage to mark. */
  quote?: string | null;
}

/** A text of any length: a part of it, with buttons to show more. */
export function LongText({ text, quote = null }: LongTextProps) {
  const [state, setState] = useState({ text, quote, window: firstWindow(text, quote) });
  const current =
    state.text === text && state.quote === quote ? state : { text, quote, window: firstWindow(text, quote) };
  const { window } = current;
  const show = (next: typeof window) => setState({ text, quote, window: next });
  return (
    <div class={styles.text}>
      {window.from > 0 && (
        <button type="button" class={styles.more} onClick={() => show(moreBefore(text, window))}>
          Show more before ({count(window.from)} characters)
        </button>
      )}
      <pre dir="auto">
        {piecesOf(text, window, quote).map((piece) =>
          piece.isQuote ? <mark>{visibleText(piece.text)}</mark> : visibleText(piece.text),
        )}
      </pre>
      {window.to < text.length && (
        <button type="button" class={styles.more} onClick={() => show(moreAfter(text, window))}>
          Show more ({count(text.length - window.to)} characters left)
        </button>
      )}
    </div>
  );
}
