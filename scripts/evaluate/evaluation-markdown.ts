import type { Evaluation } from './evaluation.ts';
import type { Figure, Section } from './figure.ts';

const HEAD = `# Evaluation

Written by \`npm run evaluate\` from labelled public data made by others (the development split); do not edit. Intervals are 95 %:
Wilson for shares, bootstrap by task or document for the rest. Each figure says what had seen the records before:

* *as shipped*: what the program says; its rules were written, and parts of it fitted, with these sets at hand;
* *out-of-fold*: the score comes from a model fitted on other tasks of the same sets (grouped folds);
* *set left out*: from a model fitted on other sets or frameworks only, as for new data;
* *never fitted*: the set is in no fit;
* **in-sample**: fitted on these very records, so the figure flatters and is held against no aim.
`;

/** The report; the same evaluation gives the same text. */
export function evaluationMarkdown({ sets, sections }: Evaluation): string {
  const counts = Object.entries(sets).map(([set, n]) => `${set} ${n}`);
  return [HEAD, `Records: ${counts.join(' · ')}.\n`, ...sections.map(sectionMarkdown)].join('\n');
}

function sectionMarkdown({ title, about, figures }: Section): string {
  const rows = figures.map((figure) => [
    figure.label,
    figure.set,
    valueText(figure),
    String(figure.n),
    figure.basis === 'in-sample' ? '**in-sample**' : figure.basis,
    aimText(figure),
  ]);
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `## ${title}\n`,
    `${about}\n`,
    '| what | set | value [95 %] | n | basis | aim |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function valueText({ value, interval }: Figure): string {
  if (value === null) return '–';
  return interval === null ? decimal(value) : `${decimal(value)} [${interval.map(decimal).join(', ')}]`;
}

function aimText({ aim, basis, better, value }: Figure): string {
  if (aim === null) return '';
  const sign = better === 'lower' ? '≤' : '≥';
  if (basis === 'in-sample') return '';
  const isMet = value !== null && (better === 'lower' ? value <= aim : value >= aim);
  return `${sign} ${decimal(aim)}${isMet ? ' ✓' : ''}`;
}

/** `.873`, `5.7`, `12.3`: a share without its leading zero. */
function decimal(value: number): string {
  if (value >= 10) return value.toFixed(1);
  const text = value.toFixed(3);
  return value >= 1 ? value.toFixed(value === 1 ? 3 : 2) : text.replace(/^0/, '');
}
