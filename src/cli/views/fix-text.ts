import type { FixRecord } from '../../features/detections/fix.record.ts';
import { percent } from './amounts.ts';
import { printable, printableLine, printableName, printableParagraph } from './printable.ts';
import type { Style } from './style.ts';
import { indent, wrap } from './wrap.ts';

/** One fix as a block: what, why, and each change. */
export function fixText(fix: FixRecord, { style, width }: { style: Style; width: number }): string {
  const facts = [
    fix.fix_type,
    `${fix.risk} risk`,
    `confidence ${percent(fix.confidence)}`,
    ...(fix.breaking ? ['breaking'] : []),
    ...(fix.requires_testing ? ['test it'] : []),
    ...(fix.applied_at === null ? [] : [`applied ${fix.applied_at}`]),
  ];
  return [
    `${style.bold(printableName(fix.title))}  ${style.dim(fix.fix_id)}`,
    style.dim(`  ${facts.join(' · ')}`),
    indent(wrap(printableParagraph(fix.description), width - 2), '  '),
    indent(wrap(printableParagraph(fix.rationale), width - 2), '  '),
    ...fix.changes.flatMap((change) => [
      style.dim(`  ${printableLine(change.target)} (${change.format})`),
      ...(change.format === 'text' && change.before !== null ? [indent(lines(change.before), '    - ')] : []),
      indent(lines(change.after), change.format === 'text' && change.before !== null ? '    + ' : '    '),
    ]),
  ].join('\n');
}

function lines(text: string): string[] {
  return printable(text).split('\n');
}
