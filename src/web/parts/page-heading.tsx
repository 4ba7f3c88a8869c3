import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import style from './page-heading.module.css';
import { Prose } from './prose.tsx';
import { withoutBackticks } from './prose-parts.ts';

/** The first view after loading the page does not move the focus. */
let isFirstView = true;

interface PageHeadingProps {
  /** Also the document title. Names between backticks are shown as code. */
  title: string;
  /** Shown on the right of the title. */
  children?: ComponentChildren;
}

/** The heading of a view. It takes the focus when the view appears, so that screen readers announce the view. */
export function PageHeading({ title, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirstView) heading.current?.focus({ preventScroll: true });
    isFirstView = false;
  }, []);
  useEffect(() => {
    document.title = `${withoutBackticks(title)} · Misstep`;
  }, [title]);
  return (
    <div class={style.heading}>
      <h1 ref={heading} tabIndex={-1} dir="auto">
        <Prose text={title} />
      </h1>
      {children}
    </div>
  );
}
