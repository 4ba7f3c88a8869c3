import { type Comparison, costAgrees, dollars, totalTokens } from './comparison.ts';

const COLUMNS = ['session', 'read', 'tokens', 'cost', '%', 'calls', 'failed', 'refused', 'end', 'differences'];

/** A table with one row for each session, recount / product in a cell, then the summary. */
export function report(comparisons: readonly Comparison[]): string {
  const rows = [COLUMNS, ...comparisons.map(rowOf)];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...table, '', ...summary(comparisons)].join('\n');
}

function rowOf(one: Comparison): string[] {
  const { count, product } = one;
  const extra = count.failedBySummaryIds.length;
  return [
    one.file,
    product.isRead ? 'yes' : 'NO',
    `${totalTokens(count) ?? 'none'} / ${product.totalTokens}`,
    `${dollars(count.costUsd)} / ${dollars(product.costUsd)}`,
    one.costError === null ? '–' : `${(one.costError * 100).toFixed(1)}`,
    `${count.toolCalls} / ${product.toolCalls}`,
    `${count.failedCalls ?? 'none'}${extra > 0 ? `+${extra}` : ''} / ${product.failedIds.length}`,
    `${count.userRefusals} / ${product.userRefusals}`,
    `${count.endedBy} / ${product.endedBy || 'none'}`,
    one.differences.length === 0 ? 'same' : `DIFFERENT: ${[...one.differences, ...count.notes].join('; ')}`,
  ];
}

export function summary(comparisons: readonly Comparison[]): string[] {
  const products = [...new Set(comparisons.map((one) => one.count.product))];
  const lines = products.map((product) =>
    line(
      product,
      comparisons.filter((one) => one.count.product === product),
    ),
  );
  return products.length > 1 ? [...lines, line('all', comparisons)] : lines;
}

function line(name: string, all: readonly Comparison[]): string {
  const known = all.filter((one) => one.count.costUsd !== null);
  const flagged = sum(all, (one) => one.count.failedIds.length);
  const missed = sum(all, (one) => one.missedIds.length);
  return [
    `${name}: ${all.filter((one) => one.product.isRead).length} of ${all.length} read`,
    `cost within 2 % in ${known.filter((one) => one.product.isRead && costAgrees(one)).length} of ${known.length}`,
    `recount ${dollars(sum(all, (one) => one.count.costUsd ?? 0))}, product ${dollars(sum(all, (one) => one.product.costUsd ?? 0))}`,
    `failures found ${flagged - missed} of ${flagged}, ${sum(all, (one) => one.extraIds.length)} without a flag`,
    `refusals ${sum(all, (one) => one.count.userRefusals)} / ${sum(all, (one) => one.product.userRefusals)}`,
    `same in all figures ${all.filter((one) => one.differences.length === 0).length}`,
  ].join('; ');
}

function sum(all: readonly Comparison[], figure: (one: Comparison) => number): number {
  return all.reduce((total, one) => total + figure(one), 0);
}
