import { diffLines } from 'diff';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'place';
  text: string;
}

/** Comparing long texts with little in common is slow: beyond this many edits both texts are shown in full. */
const MAX_EDITS = 2_000;
/** Unchanged lines on either side of a change. */
const CONTEXT_LINES = 3;

/** The diff of two texts; `before` is null for a new text. */
export function textDiffLines(before: string | null, after: string): DiffLine[] {
  if (before === null) return toDiffLines(after, 'added');
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...toDiffLines(before, 'removed'), ...toDiffLines(after, 'added')];
  const lines = parts.flatMap(({ value, added, removed }) =>
    toDiffLines(value, added ? 'added' : removed ? 'removed' : 'same'),
  );
  return collapseUnchanged(lines);
}

/** The lines of a unified diff of one file, without its header. */
export function unifiedDiffLines(patch: string): DiffLine[] {
  const lines = splitLines(patch);
  const header = lines.findIndex((line, index) => line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- '));
  return lines.slice(header + 1).map((line): DiffLine => {
    if (line.startsWith('@@') || line.startsWith('\\ ')) return { kind: 'place', text: line };
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
    return { kind: 'same', text: line.replace(/^ /, '') };
  });
}

/** A change of a fix; `before` is the passage that a text replaces, null if unknown. */
export interface Change {
  format: 'json-patch' | 'unified-diff' | 'text';
  before: string | null;
  after: string;
}

/** The lines of a change in any format. */
export function diffLinesOf({ format, before, after }: Change): DiffLine[] {
  if (format === 'unified-diff') return unifiedDiffLines(after);
  return format === 'json-patch' ? jsonPatchLines(after) : textDiffLines(before, after);
}

/** One line for each operation of a JSON Patch; any other text is shown unchanged. */
function jsonPatchLines(patch: string): DiffLine[] {
  try {
    const operations: unknown = JSON.parse(patch);
    if (Array.isArray(operations)) return operations.flatMap(linesOfPatchOperation);
  } catch {
    // Not a JSON Patch: the text itself is shown.
  }
  return textDiffLines(null, patch);
}

function linesOfPatchOperation(operation: { op?: unknown; path?: unknown; value?: unknown }): DiffLine[] {
  const place: DiffLine = { kind: 'place', text: `${String(operation.op)} ${String(operation.path)}` };
  if (operation.op === 'remove') return [{ kind: 'removed', text: String(operation.path) }];
  if (operation.value === undefined) return [place];
  return [place, ...textDiffLines(null, JSON.stringify(operation.value, null, 2) ?? '')];
}

function toDiffLines(text: string, kind: DiffLine['kind']): DiffLine[] {
  return splitLines(text).map((line) => ({ kind, text: line }));
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Replaces unchanged lines that are far from every change with `…`. */
function collapseUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const isNearChange = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') isNearChange.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  return lines.flatMap((line, index): DiffLine[] => {
    if (isNearChange[index] === 1) return [line];
    return index > 0 && isNearChange[index - 1] === 0 ? [] : [{ kind: 'place', text: '…' }];
  });
}
