import type { ComponentChildren } from 'preact';
import { Link } from '../address/link.tsx';
import style from './button.module.css';

interface ButtonLinkProps {
  /** A return value of `addressOf`. */
  to: string;
  isPrimary?: boolean;
  children: ComponentChildren;
}

/** A link that is the next action, drawn as a button. */
export function ButtonLink({ to, isPrimary = false, children }: ButtonLinkProps) {
  return (
    <Link to={to} class={[style.button, style.link, isPrimary ? style.primary : ''].filter(Boolean).join(' ')}>
      {children}
    </Link>
  );
}
