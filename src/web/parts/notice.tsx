import type { ComponentChildren } from 'preact';
import { problemTextOf } from '../data/problem-text.ts';
import { Button } from './button.tsx';
import style from './notice.module.css';

interface EmptyNoticeProps {
  title: string;
  /** The place around it has no margin of its own. */
  isPage?: boolean;
  children?: ComponentChildren;
}

interface ErrorNoticeProps {
  title: string;
  error: unknown;
  /** The place around it has no margin of its own. */
  isPage?: boolean;
  retry?: () => void;
}

/** An empty state: why there is no data, and what to do. */
export function EmptyNotice({ title, isPage = false, children }: EmptyNoticeProps) {
  return (
    <div class={`${style.notice} ${isPage ? style.page : ''}`}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** An error with the request id for the operator, and a retry button if a retry may succeed. */
export function ErrorNotice({ title, error, isPage = false, retry }: ErrorNoticeProps) {
  const { text, requestId, canRetry } = problemTextOf(error);
  return (
    <div class={`${style.notice} ${style.error} ${isPage ? style.page : ''}`} role="alert">
      <h2>{title}</h2>
      <p dir="auto">{text}</p>
      {requestId && (
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
