import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import style from './button.module.css';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'label'> {
  variant?: 'normal' | 'primary' | 'plain' | 'danger';
  /** Required if the button has no text. */
  label?: string;
  /** The key of the same action, shown beside the text. */
  shortcut?: string;
  children: ComponentChildren;
}

export function Button({ variant = 'normal', label, shortcut, children, class: extra, type, ...rest }: ButtonProps) {
  const classes = [style.button, variant === 'normal' ? '' : style[variant], extra ?? ''].filter(Boolean).join(' ');
  return (
    <button
      type={type ?? 'button'}
      class={classes}
      {...(label === undefined ? {} : { 'aria-label': label, title: label })}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
      {...rest}
    >
      {children}
      {shortcut !== undefined && (
        <span class={style.key} aria-hidden="true">
          {shortcut}
        </span>
      )}
    </button>
  );
}
