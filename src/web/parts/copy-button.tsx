import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import { showToast } from './toasts.tsx';

/** Copies a text that is shown beside the button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const isCopied = useSignal(false);
  async function copy() {
    if (!(await copyText(text))) {
      showToast('The browser does not allow copying here: mark the text and copy it.');
      return;
    }
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, 2_000);
  }
  return (
    <Button onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{isCopied.value ? 'Copied' : label}</span>
    </Button>
  );
}
