import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import style from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Label of the button that runs the action. */
  action: string;
  confirm(): void;
  close(): void;
  children: ComponentChildren;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({ title, action, confirm, close, children }: ConfirmDialogProps) {
  function run() {
    close();
    confirm();
  }
  return (
    <Dialog title={title} close={close}>
      <div class={style.content}>
        {children}
        <div class={style.buttons}>
          <Button onClick={close}>Cancel</Button>
          <Button variant="danger" onClick={run}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
