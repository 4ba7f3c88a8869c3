import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import style from './dialog.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  close(): void;
  /** Hides the title, for a dialog with a single field. */
  isBare?: boolean;
  children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, close, isBare = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={style.dialog} aria-label={title} onClose={close} {...{ closedby: 'any' }}>
      <div class={isBare ? style.bare : style.content}>
        {!isBare && (
          <div class={style.head}>
            <h2>{title}</h2>
            <Button variant="plain" label="Close" onClick={() => dialog.current?.close()}>
              <Icon name="close" />
            </Button>
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}
