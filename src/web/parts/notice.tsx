import type { ComponentChildren } from 'preact';
import { problemTextOf } from '../data/problem-text.ts';
import { Button } from './button.tsx';
import style from './notice.module.css';

interface EmptyNoticeProps {
  title: string;
  /** Adds a margin, for a notice without a surrounding container. */
  hasMargin?: boolean;
  children?: ComponentChildren;
}

interface ErrorNoticeProps {
  title: string;
  error: unknown;
  /** Adds a margin, for a notice without a surrounding container. */
  hasMargin?: boolean;
  retry?: () => void;
}

/** An empty state: why there is no data, and what to do. */
export function EmptyNotice({ title, hasMargin = false, children }: EmptyNoticeProps) {
  return (
    <div class={`${style.notice} ${hasMargin ? style.page : ''}`}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** An error with the request id for the operator, or the possible reasons if the object is missing, and a retry button if a retry may succeed. */
export function ErrorNotice({ title, error, hasMargin = false, retry }: ErrorNoticeProps) {
  const { text, requestId, isMissing, canRetry } = problemTextOf(error);
  return (
    <div class={`${style.notice} ${style.error} ${hasMargin ? style.page : ''}`} role="alert">
      <h2>{title}</h2>
      <p dir="auto">{text}</p>
      {isMissing && (
        <p>
          It may have been deleted, for example by the retention period, or belong to another tenant, or the link is
          wrong.
        </p>
      )}
      {requestId && !isMissing && (
        <p class={style.request}>
          Request <code>{requestId}</code>
        </p>
      )}
      {retry && canRetry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** A placeholder while the first response is slow. */
export function LoadingPlaceholder() {
  return (
    <output class={style.waiting} aria-label="Loading">
      <span />
      <span />
      <span />
    </output>
  );
}
