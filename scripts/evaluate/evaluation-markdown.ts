import type {
  DetectorScores,
  EstimateFigures,
  FlagRateFigures,
  ScoreFigures,
} from '../../src/detectors/detector-scores.ts';
import { FAILURE_MODES } from '../../src/features/benchmarks/failure-modes.ts';
import type { Evaluation } from './evaluation.ts';
import type { Figure, Section } from './figure.ts';

const HEAD = `# Evaluation

Written by \`npm run evaluate\` from labelled public data made by others (the development split); do not edit. \`npm run evaluate -- --runs
--write\` measures targets, flagged runs, ranks and figures against labels again; sections with an earlier day say so. Intervals are 95 %:
Wilson for shares, bootstrap by task or document for the rest. Each figure says what had seen the records before:

* *as shipped*: what the program reports; its rules were written, and parts of it fitted, with these sets at hand;
* *out-of-fold*: the score comes from a model fitted on other tasks of the same sets (grouped folds);
* *set left out*: from a model fitted on other sets or frameworks only, as for new data;
* *never fitted*: the set is in no fit. Its development part may have been read;
* **in-sample**: fitted on these very records, so the figure is too good and is compared with no aim.
`;

/** The report; the same evaluation gives the same text. */
export function evaluationMarkdown({ sets, sections, scores, date }: Evaluation): string {
  const counts = Object.entries(sets).map(([set, n]) => `${set} ${n}`);
  const when = date === null ? '' : `Measured on ${date}. `;
  return [
    HEAD,
    `${when}Records: ${counts.join(' · ')}.\n`,
    detectorsMarkdown(scores),
    ...sections.map(sectionMarkdown),
  ].join('\n');
}

const DETECTORS_ABOUT = `Precision and recall at default settings, where a public set has labels for what the detector reports. A subtype in preview reports
nothing by default, so its labelled faults count as missed. A tier above \`experimental\` needs held-out data: \`production\` F1 and precision
of .80 on 100 labelled samples with both classes, \`beta\` F1 of .60 on 50. Rules were written with these sets at hand, so *as shipped* is not
held out. The first row of a detector decides: sets that no model had seen come first. \`GET /diagnostics/detector-status\` and \`GET /benchmarks\` serve these figures.`;

function detectorsMarkdown({ detectors, modes }: DetectorScores): string {
  const unmeasured = detectors.filter(({ measured }) => measured === null).map(({ detector }) => `\`${detector}\``);
  return [
    '## Detectors\n',
    `${DETECTORS_ABOUT}\n`,
    '| detector | tier | healthy / failing runs flagged | precision | recall | F1 | n (real) | set, basis | actual fault; counted as reported |',
    '|---|---|---|---|---|---|---|---|---|',
    ...detectors.flatMap(({ detector, tier, healthy, failing, measured, further }) =>
      measured === null
        ? []
        : [measured, ...further].map((score, nth) =>
            row([
              nth === 0 ? `\`${detector}\`` : '',
              nth === 0 ? tier : '',
              nth === 0 ? `${rateText(healthy)} / ${rateText(failing)}` : '',
              ...scoreCells(score),
            ]),
          ),
    ),
    `\nNo labelled data exist for what these report: ${unmeasured.join(', ')}.\n`,
    '## Failure modes\n',
    'The detection rate is the recall of the detectors of the mode together.\n',
    '| mode | MAST | detectors | tier | precision | detection rate | F1 | n (real) | set, basis | actual fault; counted as reported |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...modes.map(({ mode, tier, measured }) => {
      const { name, mast, detectors: types } = FAILURE_MODES.find((one) => one.mode === mode)!;
      const cells = measured === null ? ['–', '–', '–', '0', 'no labelled data', ''] : scoreCells(measured);
      return row([`${mode} ${name}`, mast.join(', ') || '–', types.join(', '), tier, ...cells]);
    }),
    '',
  ].join('\n');
}

function scoreCells({ precision, recall, f1, samples, positives, set, basis, label }: ScoreFigures): string[] {
  const shown = basis === 'in-sample' ? '**in-sample**' : basis;
  return [
    estimateText(precision),
    estimateText(recall),
    estimateText(f1),
    `${samples} (${positives})`,
    `${set}: ${shown}`,
    label,
  ];
}

function estimateText(estimate: EstimateFigures | null): string {
  return estimate === null ? '–' : `${decimal(estimate.value)} [${estimate.interval.map(decimal).join(', ')}]`;
}

function rateText(rate: FlagRateFigures | null): string {
  return rate === null ? '–' : decimal(rate.value);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
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
  if (value === null) return `${sign} ${decimal(aim)}`;
  const isMet = better === 'lower' ? value <= aim : value >= aim;
  return `${sign} ${decimal(aim)} ${isMet ? '✓' : 'missed'}`;
}

/** `.873`, `5.7`, `12.3`: a share without its leading zero. */
function decimal(value: number): string {
  if (value >= 10) return value.toFixed(1);
  const text = value.toFixed(3);
  return value >= 1 ? value.toFixed(value === 1 ? 3 : 2) : text.replace(/^0/, '');
}
