import type { SessionProblem, SessionReport } from '../../features/coding-sessions/report.record.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import { indent, wrap } from '../views/wrap.ts';
import {
  clockTime,
  costText,
  endLabel,
  localTime,
  money,
  projectText,
  span,
  titleOf,
  tokens,
  UNKNOWN_END,
} from './session-labels.ts';

interface TextOptions {
  style: Style;
  width: number;
}

const SHOWN_PROMPTS = 3;
const SHOWN_FILES = 6;
const SHOWN_COMMANDS = 4;
const SHOWN_TESTS = 4;
const SHOWN_PROBLEMS = 12;
const PROMPT_CHARACTERS = 240;
const LABEL = 10;

/** The report of one session for a terminal. */
export function reportText(report: SessionReport, options: TextOptions): string {
  const { style } = options;
  const section = (title: string, lines: string[]) => (lines.length === 0 ? [] : ['', style.bold(title), ...lines]);
  return `${[
    style.bold(printableLine(titleOf(report.session))),
    ...headLines(report, options),
    ...section('Asked', askedLines(report, options)),
    ...section('Done', doneLines(report, options)),
    ...section('Where it went wrong', problemLines(report, options)),
    ...section('Cost', costLines(report, options)),
    ...section('End', endLines(report, options)),
  ].join('\n')}\n`;
}

function headLines({ session }: SessionReport, { style, width }: TextOptions): string[] {
  const facts = [
    projectText(session.project),
    ...(session.branch === null ? [] : [`branch ${session.branch}`]),
    session.agent,
    ...(session.started_at === null ? [] : [localTime(session.started_at)]),
    ...(session.duration_ms === null ? [] : [span(session.duration_ms)]),
  ].map(printableLine);
  const parent = session.parent_id === null ? [] : [`started from session ${printableLine(session.parent_id)}`];
  return [`session ${printableLine(session.session_id)}`, facts.join(' · '), ...parent].flatMap((line) =>
    wrap(line, width).map((each) => style.dim(each)),
  );
}

function askedLines({ asked, prompt_count }: SessionReport, options: TextOptions): string[] {
  if (asked.length === 0) return ['  Nothing: the session has no prompt.'];
  const shown = asked.length <= SHOWN_PROMPTS ? asked : [...asked.slice(0, SHOWN_PROMPTS - 1), asked.at(-1)!];
  const hidden = prompt_count - shown.length;
  const lines = shown.map(({ at, text }) => paragraph(timeLabel(at), cut(text, PROMPT_CHARACTERS), options));
  if (hidden > 0) lines.splice(-1, 0, options.style.dim(`${' '.repeat(LABEL)}… ${counted(hidden, 'more prompt')}`));
  return lines;
}

function doneLines({ done, session }: SessionReport, options: TextOptions): string[] {
  const { files, file_count, commands, command_count, tests, tools, call_count } = done;
  const relative = relativeTo(session.project);
  const listed = (items: string[], total: number, shown: number) => {
    const rest = total - Math.min(items.length, shown);
    return `${items.slice(0, shown).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
  };
  return [
    ...(file_count === 0
      ? []
      : [
          paragraph(
            'files',
            `${counted(file_count, 'file')} changed: ${listed(
              files.map(({ path, edits }) => `${relative(path)}${edits > 1 ? ` (${edits} edits)` : ''}`),
              file_count,
              SHOWN_FILES,
            )}`,
            options,
          ),
        ]),
    ...(command_count === 0
      ? []
      : [
          paragraph(
            'commands',
            `${counted(command_count, 'run')}: ${listed(
              commands.map(
                ({ command, runs, failures }) => `${cut(plainCommand(command), 48)}${times(runs, failures)}`,
              ),
              commands.length,
              SHOWN_COMMANDS,
            )}`,
            options,
          ),
        ]),
    ...tests
      .slice(0, SHOWN_TESTS)
      .map(({ command, runs, failures, last }, at) =>
        paragraph(
          at === 0 ? 'tests' : '',
          `${cut(plainCommand(command), 72)}: ${counted(runs, 'run')}, ${failures} failed, the last one ${last === 'unknown' ? 'without a clear result' : last}`,
          options,
        ),
      ),
    paragraph(
      'calls',
      call_count === 0
        ? 'none'
        : `${call_count}: ${tools
            .slice(0, SHOWN_FILES)
            .map(({ name, calls }) => `${name} ${calls}`)
            .join(', ')}`,
      options,
    ),
  ];
}

function times(runs: number, failures: number): string {
  const parts = [...(runs > 1 ? [`${runs} times`] : []), ...(failures > 0 ? [`${failures} failed`] : [])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function problemLines({ problems, problem_count }: SessionReport, options: TextOptions): string[] {
  if (problems.length === 0) return [`  ${options.style.success('Nothing found.')}`];
  const shown = mostSevere(problems);
  const lines = shown.flatMap((problem) => problemText(problem, options));
  const hidden = problem_count - shown.length;
  return hidden > 0 ? [...lines, options.style.dim(`  … and ${hidden} more; --json has all`)] : lines;
}

/** Detections first if not all fit, in order of steps. */
function mostSevere(problems: readonly SessionProblem[]): SessionProblem[] {
  const rank = ({ severity, kind }: SessionProblem) =>
    severity === 'critical' ? 0 : severity === 'warning' ? 1 : kind === 'detection' ? 3 : 2;
  const kept = new Set([...problems].sort((one, other) => rank(one) - rank(other)).slice(0, SHOWN_PROBLEMS));
  return problems.filter((problem) => kept.has(problem));
}

function problemText(problem: SessionProblem, options: TextOptions): string[] {
  const { style, width } = options;
  const { severity, text, detail, cost_usd, at } = problem;
  const label = severity === null ? '' : `${style.severity(severity, severity)}: `;
  const cost = cost_usd === null ? '' : ` (${money(cost_usd)})`;
  const body = wrap(`${printableLine(text)}${cost}`, width - LABEL - (severity === null ? 0 : severity.length + 2));
  const first = `${timeLabel(at).padEnd(LABEL)}${label}`;
  const detailText = problem.kind === 'detection' ? firstSentence(detail ?? '') : detail;
  return [
    indent(body, first, ' '.repeat(LABEL)),
    ...(detailText
      ? [style.dim(indent(wrap(printableLine(cut(detailText, PROMPT_CHARACTERS)), width - LABEL), ' '.repeat(LABEL)))]
      : []),
  ];
}

function costLines({ cost, session }: SessionReport, options: TextOptions): string[] {
  const partial = session.partial_usage_calls ?? 0;
  const cached = cost.cache_read_tokens === null ? '' : ` (${tokens(cost.cache_read_tokens)} from cache)`;
  const usage = [
    ...(cost.input_tokens === null ? [] : [`${tokens(cost.input_tokens)} input tokens${cached}`]),
    ...(cost.output_tokens === null ? [] : [`${partial > 0 ? '≥ ' : ''}${tokens(cost.output_tokens)} output tokens`]),
  ];
  const models = cost.models.map(
    ({ model, calls, cost_usd }) =>
      `${model} ${cost_usd === null ? 'price unknown' : money(cost_usd)} (${counted(calls, 'call')})`,
  );
  const total = costText(session);
  const unpriced =
    session.unpriced_models.length === 0
      ? []
      : [paragraph('', `price unknown: ${session.unpriced_models.join(', ')}`, options)];
  return [
    paragraph(total === UNKNOWN_END ? '–' : total, [...usage].join(', ') || 'no usage recorded', options),
    ...(models.length === 0 ? [] : [paragraph('models', models.join(', '), options)]),
    ...unpriced,
    ...(partial === 0
      ? []
      : [
          paragraph(
            '',
            `lower bounds: ${counted(partial, 'answer')} recorded before the end, without the final number of output tokens`,
            options,
          ),
        ]),
    ...(cost.models.length === 0
      ? []
      : [options.style.dim(`${' '.repeat(LABEL)}prices of the day of each call, as listed on ${cost.prices_as_of}`)]),
  ];
}

function endLines({ session, final_answer }: SessionReport, options: TextOptions): string[] {
  return [
    `  ${endLabel(session.ended_by)}`,
    ...(final_answer === null ? [] : [paragraph('', cut(final_answer, 2 * PROMPT_CHARACTERS), options)]),
  ];
}

function paragraph(label: string, text: string, { width }: TextOptions): string {
  const first =
    label.trim() === '' ? ' '.repeat(LABEL) : label.startsWith(' ') ? label.padEnd(LABEL) : `  ${label}`.padEnd(LABEL);
  const start = first.length > LABEL || first.endsWith(' ') ? first : `${first} `;
  return indent(
    wrap(printableLine(text), width - LABEL),
    start.length > LABEL ? `${start.trimEnd()} ` : start,
    ' '.repeat(LABEL),
  );
}

function firstSentence(text: string): string {
  return /^.{20,}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function timeLabel(at: string | null): string {
  return at === null ? '' : `  ${clockTime(at)}`;
}

/** Paths relative to the project; detectors shorten a home folder to `~`. */
function relativeTo(project: string | null): (path: string) => string {
  if (project === null) return (path) => path;
  const folders = [project, project.replace(/^\/(?:home|Users)\/[^/]+|^\/root(?=\/)/, '~')].map(
    (folder) => `${folder}/`,
  );
  return (path) => {
    const folder = folders.find((each) => path.startsWith(each));
    return folder === undefined ? path.replace(/^\.\//, '') : path.slice(folder.length);
  };
}

/** A command without a leading `cd` and a trailing redirection. */
function plainCommand(command: string): string {
  return command.replace(/^cd \S+ && /, '').replace(/ 2>&1$/, '');
}

function cut(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
