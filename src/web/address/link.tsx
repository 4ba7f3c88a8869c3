import type { ComponentChildren } from 'preact';
import { goTo } from './router.ts';

interface LinkProps {
  /** An address that `addressOf` made. */
  to: string;
  children: ComponentChildren;
  id?: string;
  class?: string | undefined;
  title?: string;
  tabIndex?: number;
  'aria-current'?: 'page' | 'true';
  'aria-label'?: string;
}

/** A link inside the page; a modified click opens a tab as the browser does. */
export function Link({ to, children, ...rest }: LinkProps) {
  function follow(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
