import type { ComponentChildren } from 'preact';
import { navigate } from './router.ts';

interface LinkProps {
  /** A return value of `addressOf`. */
  to: string;
  children: ComponentChildren;
  id?: string;
  class?: string | undefined;
  title?: string;
  tabIndex?: number;
  'aria-current'?: 'page' | 'true';
  'aria-label'?: string;
}

/** A link to a view of this page. A click with a modifier key keeps its browser behaviour, such as opening a tab. */
export function Link({ to, children, ...rest }: LinkProps) {
  function onClick(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  }
  return (
    <a href={to} onClick={onClick} {...rest}>
      {children}
    </a>
  );
}
