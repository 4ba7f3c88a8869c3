import { diffLines } from 'diff';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'place';
  text: string;
}

/** Comparing two long texts that have little in common takes time: beyond this many edits they are shown one after the other. */
const MOST_EDITS = 2_000;
/** Unchanged lines on either side of a change. */
const CONTEXT_LINES = 3;

/** The lines of a change from one text to another; `before` is null where the text is new. */
export function changeLines(before: string | null, after: string): DiffLine[] {
  if (before === null) return linesOf(after, 'added');
  const parts = diffLines(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  const lines = parts.flatMap(({ value, added, removed }) =>
    linesOf(value, added ? 'added' : removed ? 'removed' : 'same'),
  );
  return withoutDistant(lines);
}

/** The lines of a unified diff. */
export function patchLines(patch: string): DiffLine[] {
  return textLines(patch).flatMap((line): DiffLine[] => {
    if (line.startsWith('--- ') || line.startsWith('+++ ')) return [];
    if (line.startsWith('@@')) return [{ kind: 'place', text: line }];
    if (line.startsWith('+')) return [{ kind: 'added', text: line.slice(1) }];
    if (line.startsWith('-')) return [{ kind: 'removed', text: line.slice(1) }];
    return [{ kind: 'same', text: line.replace(/^ /, '') }];
  });
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
