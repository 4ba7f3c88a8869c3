import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { problemTextOf } from '../data/problem-text.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import style from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  isFailure: boolean;
  action?: { label: string; run(): void };
}

/** Long enough to read the text and to reach its button (WCAG 2.2.1). */
const DISPLAY_MS = 8_000;
const MAX_SHOWN = 3;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  toasts.value = [...toasts.value, { ...toast, id: lastId }].slice(-MAX_SHOWN);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Shows a message for 8 s; `undo` adds a button that reverses the action. */
export function showToast(text: string, undo?: () => void): void {
  show({ text, isFailure: false, ...(undo ? { action: { label: 'Undo', run: undo } } : {}) });
}

/** Shows a problem that a successful action reports, until it is closed. */
export function showProblem(title: string, problem: string): void {
  show({ text: `${title}: ${problem}`, isFailure: true });
}

/** Shows why an action failed, until it is closed. */
export function showFailure(title: string, error: unknown, retry?: () => void): void {
  const { text, canRetry } = problemTextOf(error);
  show({
    text: `${title}: ${text}`,
    isFailure: true,
    ...(retry && canRetry ? { action: { label: 'Retry', run: retry } } : {}),
  });
}

export function Toasts() {
  return (
    <>
      <output class={style.toasts} aria-live="polite" aria-label="Messages">
        {toasts.value
          .filter(({ isFailure }) => !isFailure)
          .map((toast) => (
            <ToastItem key={toast.id} toast={toast} />
          ))}
      </output>
      <div class={`${style.toasts} ${style.failures}`} role="alert">
        {toasts.value
          .filter(({ isFailure }) => isFailure)
          .map((toast) => (
            <ToastItem key={toast.id} toast={toast} />
          ))}
      </div>
    </>
  );
}

function ToastItem({ toast: { id, text, isFailure, action } }: { toast: Toast }) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFailure) return;
    // A toast that is hovered or focused stays.
    const timer = setInterval(() => {
      if (!item.current?.matches(':hover, :focus-within')) dismiss(id);
    }, DISPLAY_MS);
    return () => clearInterval(timer);
  }, [id, isFailure]);
  return (
    <div ref={item} class={isFailure ? `${style.toast} ${style.failure}` : style.toast}>
      <span dir="auto">{text}</span>
      {action && (
        <Button
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button variant="plain" label="Close" onClick={() => dismiss(id)}>
        <Icon name="close" />
      </Button>
    </div>
  );
}
