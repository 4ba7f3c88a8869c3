import type { Work } from '../_readings/conduct/coding-work.ts';

export const PUTS_ASIDE = /\bgit stash(?! (?:pop|apply|drop|list))/;
export const PUTS_BACK = /\bgit stash (?:pop|apply)\b/;

/**
 * The work on the changed code: without the runs made while the change was put aside and later put back, which say nothing
 * of the change. All work if no other run follows the last edit.
 */
export function workOnChange(work: readonly Work[]): readonly Work[] {
  const aside = workWhileAside(work);
  if (aside.size === 0) return work;
  const kept = work.filter((each) => !aside.has(each));
  const lastEdit = kept.findLastIndex(({ kind }) => kind === 'edit');
  return kept.slice(lastEdit + 1).some(isRun) ? kept : work;
}

function isRun({ kind }: Work): boolean {
  return kind === 'suite' || kind === 'check';
}

/** Runs while the change was put aside, and the commands that put it aside and back. */
function workWhileAside(work: readonly Work[]): Set<Work> {
  const found = new Set<Work>();
  let open: Work[] | null = null;
  for (const each of work) {
    const command = each.use.command ?? '';
    const putsAside = PUTS_ASIDE.test(command);
    const putsBack = PUTS_BACK.test(command);
    if (putsAside) open ??= [];
    if (open !== null && (putsAside || putsBack || isRun(each))) open.push(each);
    if (!putsBack || open === null) continue;
    for (const one of open) found.add(one);
    open = null;
  }
  return found;
}
