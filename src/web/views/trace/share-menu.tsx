import { useRef } from 'preact/hooks';
import { BASE } from '../../address/router.ts';
import { tenantId } from '../../data/session.ts';
import { copyText } from '../../parts/copy-text.ts';
import { Icon } from '../../parts/icon.tsx';
import { showToast } from '../../parts/toasts.tsx';
import styles from './trace-header.module.css';
import { traceLink } from './trace-links.ts';
import { traceMarkdown } from './trace-markdown.ts';
import type { TraceState } from './trace-state.ts';

/** Menu to copy the link or a summary, to export the data, or to print the page. */
export function ShareMenu({ state }: { state: TraceState }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const traceId = state.trace.value.trace_id;
  const close = () => menu.current?.removeAttribute('open');
  const address = () => {
    const detection = state.detection.value;
    const selection = { spanId: state.spanOf(state.selected.value), detectionId: detection?.detection_id ?? null };
    return location.origin + traceLink(traceId, { ...state.address.value, ...selection });
  };
  async function copy(text: string, label: string): Promise<void> {
    close();
    const isCopied = await copyText(text);
    showToast(
      isCopied
        ? `${label} copied`
        : `${label} not copied: the browser allows copying only on https and on this machine.`,
    );
  }
  function print(): void {
    close();
    window.print();
  }
  const tenant = encodeURIComponent(tenantId.value ?? '');
  return (
    <details ref={menu} class={styles.share} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <summary>
        <Icon name="copy" /> Share
      </summary>
      <div class={styles.menu}>
        <button type="button" onClick={() => copy(address(), 'Link')}>
          Copy link
        </button>
        <button type="button" onClick={() => copy(traceMarkdown(state, address()), 'Summary')}>
          Copy summary as Markdown
        </button>
        <a
          href={`${BASE}/api/v1/tenants/${tenant}/traces/${encodeURIComponent(traceId)}`}
          download={`trace-${traceId}.json`}
          onClick={close}
        >
          Export JSON
        </a>
        <button type="button" onClick={print}>
          Print
        </button>
      </div>
    </details>
  );
}
