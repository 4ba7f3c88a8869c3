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
  /** Ignores Escape and clicks beside it, for contents that cannot be shown again. */
  onlyByButton?: boolean;
  children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside. Escape and a click beside it close it, unless `onlyByButton`. */
export function Dialog({ title, close, isBare = false, onlyByButton = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={style.dialog}
      aria-label={title}
      onClose={close}
      // Browsers without `closedby` still close on the second Escape unless its key press is prevented.
      onKeyDown={(event) => onlyByButton && event.key === 'Escape' && event.preventDefault()}
      {...{ closedby: onlyByButton ? 'none' : 'any' }}
    >
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
