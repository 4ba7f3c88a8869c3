import { diffLines } from 'diff';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'place';
  text: string;
}

/** Comparing two long texts that have little in common takes time: beyond this many edits they are shown one after the other. */
const MAX_EDITS = 2_000;
/** Unchanged lines on either side of a change. */
const CONTEXT_LINES = 3;

/** The lines of a change from one text to another; `before` is null where the text is new. */
export function changeLines(before: string | null, after: string): DiffLine[] {
  if (before === null) return linesOf(after, 'added');
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  const lines = parts.flatMap(({ value, added, removed }) =>
    linesOf(value, added ? 'added' : removed ? 'removed' : 'same'),
  );
  return withoutDistant(lines);
}

/** The lines of a unified diff of one file, without its header. */
export function patchLines(patch: string): DiffLine[] {
  const lines = textLines(patch);
  const header = lines.findIndex((line, at) => line.startsWith('+++ ') && lines[at - 1]?.startsWith('--- '));
  return lines.slice(header + 1).map((line): DiffLine => {
    if (line.startsWith('@@') || line.startsWith('\\ ')) return { kind: 'place', text: line };
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
    return { kind: 'same', text: line.replace(/^ /, '') };
  });
}

/** A change as a fix states it; `before` is the passage that a text replaces, null where it is unknown. */
export interface Change {
  format: 'json-patch' | 'unified-diff' | 'text';
  before: string | null;
  after: string;
}

/** The lines of a change in any format. */
export function linesOfChange({ format, before, after }: Change): DiffLine[] {
  if (format === 'unified-diff') return patchLines(after);
  return format === 'json-patch' ? operationLines(after) : changeLines(before, after);
}

/** One line for each operation of a JSON Patch; any other text is shown as it is. */
function operationLines(patch: string): DiffLine[] {
  try {
    const operations: unknown = JSON.parse(patch);
    if (Array.isArray(operations)) return operations.flatMap(linesOfOperation);
  } catch {
    // The text itself is shown.
  }
  return changeLines(null, patch);
}

function linesOfOperation(operation: { op?: unknown; path?: unknown; value?: unknown }): DiffLine[] {
  const place: DiffLine = { kind: 'place', text: `${String(operation.op)} ${String(operation.path)}` };
  if (operation.op === 'remove') return [{ kind: 'removed', text: String(operation.path) }];
  if (operation.value === undefined) return [place];
  return [place, ...changeLines(null, JSON.stringify(operation.value, null, 2) ?? '')];
}

function linesOf(text: string, kind: DiffLine['kind']): DiffLine[] {
  return textLines(text).map((line) => ({ kind, text: line }));
}

function textLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Without unchanged lines that are far from every change. */
function withoutDistant(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') near.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  return lines.flatMap((line, at): DiffLine[] => {
    if (near[at] === 1) return [line];
    return at > 0 && near[at - 1] === 0 ? [] : [{ kind: 'place', text: '…' }];
  });
}
