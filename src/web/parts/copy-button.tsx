import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { tell } from './toasts.tsx';

/** Copies a text. Browsers allow it only on https and on this machine. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const isCopied = useSignal(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, 2_000);
    } catch {
      tell('The browser does not allow copying here: mark the text and copy it.');
    }
  }
  return (
    <Button onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{isCopied.value ? 'Copied' : label}</span>
    </Button>
  );
}
