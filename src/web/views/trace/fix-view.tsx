import { useMemo } from 'preact/hooks';
import type { Fix } from '../../../client/misstep-client.generated.ts';
import { percent } from '../../parts/amounts.ts';
import { changeLines, type DiffLine, patchLines } from '../../parts/diff-lines.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import styles from './detection-panel.module.css';

/** A proposed fix: what changes, why it helps, and what it risks. */
export function FixView({ fix }: { fix: Fix }) {
  return (
    <details class={styles.fix}>
      <summary>
        <bdi>{visibleText(fix.title)}</bdi>
        <span class={styles.risk}>{fix.risk} risk</span>
      </summary>
      <p dir="auto">{visibleText(fix.description)}</p>
      {fix.rationale !== '' && (
        <p dir="auto">
          <strong>Why it helps:</strong> {visibleText(fix.rationale)}
        </p>
      )}
      <p class={styles.flags}>{flagsOf(fix).join(' · ')}</p>
      {fix.changes.map((change, at) => (
        <Change key={at} change={change} />
      ))}
    </details>
  );
}

function flagsOf({ confidence, breaking, requires_testing, applied_at }: Fix): string[] {
  return [
    `${percent(confidence)} likely to help`,
    ...(breaking ? ['breaks what depends on it'] : []),
    ...(requires_testing ? ['test it first'] : []),
    ...(applied_at === null ? [] : [`recorded as applied ${new Date(applied_at).toLocaleString()}`]),
  ];
}

function Change({ change }: { change: Fix['changes'][number] }) {
  const lines = useMemo(() => linesOf(change), [change]);
  const target = visibleText(change.target);
  return (
    <div class={styles.change}>
      {target !== '' && <bdi class={styles.target}>{target}</bdi>}
      <DiffView lines={lines} label={target === '' ? 'Change' : `Change of ${target}`} />
    </div>
  );
}

function linesOf({ format, before, after }: Fix['changes'][number]): DiffLine[] {
  if (format === 'unified-diff') return patchLines(after);
  return format === 'json-patch' ? operationLines(after) : changeLines(before, after);
}

/** One line an operation of a JSON Patch; a text that is none is shown as it is. */
function operationLines(patch: string): DiffLine[] {
  try {
    const operations: unknown = JSON.parse(patch);
    if (Array.isArray(operations)) return operations.flatMap(linesOfOperation);
  } catch {
    // The text itself is shown.
  }
  return changeLines(null, patch);
}

function linesOfOperation(operation: { op?: unknown; path?: unknown; from?: unknown; value?: unknown }): DiffLine[] {
  const place: DiffLine = { kind: 'place', text: `${String(operation.op)} ${String(operation.path)}` };
  if (operation.op === 'remove') return [{ kind: 'removed', text: String(operation.path) }];
  if (operation.value === undefined) return [place];
  return [place, ...changeLines(null, JSON.stringify(operation.value, null, 2) ?? '')];
}
