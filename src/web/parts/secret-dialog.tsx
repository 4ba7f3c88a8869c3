import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import style from './secret-dialog.module.css';

export interface Secret {
  label: string;
  value: string;
}

interface SecretDialogProps {
  title: string;
  secrets: readonly Secret[];
  close(): void;
}

/** Shows secrets that the server returns only once. Only its button closes it. */
export function SecretDialog({ title, secrets, close }: SecretDialogProps) {
  return (
    <Dialog title={title} close={close} onlyByButton>
      <div class={style.content}>
        <p>Copy it now: it is not shown again.</p>
        {secrets.map(({ label, value }) => (
          <div key={label} class={style.secret}>
            <h3>{label}</h3>
            <code class={style.value}>{value}</code>
            <CopyButton text={value} label={secrets.length === 1 ? 'Copy' : `Copy ${label.toLowerCase()}`} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
