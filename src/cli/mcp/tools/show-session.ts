import { z } from 'zod';
import { SEVERITIES } from '../../../core/severity.ts';
import { SESSION_ENDS } from '../../../core/trace.ts';
import { PROBLEM_KINDS, type SessionReport } from '../../../features/coding-sessions/report.record.ts';
import { endLabel, money, span, tokens } from '../../sessions/session-labels.ts';
import { cut } from '../plain-text.ts';
import { LIMITS, name, names, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const MAX_PROMPTS = 10;
const MAX_FILES = 15;
const MAX_TESTS = 8;
const MAX_PROBLEMS = 20;

const input = z.strictObject({
  session_id: z.string().min(1).max(200).describe('The id, or the beginning of it, as returned by list_sessions'),
});

const output = z.object({
  started_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  ended_by: z.enum(SESSION_ENDS).nullable(),
  cost_usd: z.number().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  partial_usage_calls: z.number().int().nullable(),
  prices_as_of: z.string(),
  prompt_count: z.number().int(),
  file_count: z.number().int(),
  command_count: z.number().int(),
  problem_count: z.number().int(),
  tests: z.array(
    z.object({
      runs: z.number().int(),
      failures: z.number().int(),
      last: z.string(),
      untrusted: z.object({ command: z.string() }),
    }),
  ),
  problems: z.array(
    z.object({
      kind: z.enum(PROBLEM_KINDS),
      severity: z.enum(SEVERITIES).nullable(),
      step: z.number().int().nullable(),
      cost_usd: z.number().nullable(),
      untrusted: z.object({ text: z.string(), detail: z.string().nullable() }),
    }),
  ),
  untrusted: z.object({
    session_id: z.string(),
    title: z.string().nullable(),
    project: z.string().nullable(),
    branch: z.string().nullable(),
    agent: z.string(),
    asked: z.array(z.string()),
    files: z.array(z.string()),
    unpriced_models: z.array(z.string()),
    final_answer: z.string().nullable(),
  }),
});
type Shown = z.output<typeof output>;

export const showSessionTool = defineTool({
  name: 'show_session',
  title: 'Show a coding session',
  description:
    'Returns the report of one session of a coding agent: the prompts, files, commands and tests, where it went wrong ' +
    '(detections, refused calls, corrections, failing tests, polling), what it cost, how it ended.',
  input,
  output,
  async run(_backend, { session_id }, openSessions) {
    const source = await openSessions();
    try {
      const data = toShown(await source.show(session_id));
      return {
        head: `A session that ended: ${endLabel(data.ended_by)}, with ${data.problem_count} points where it went wrong.`,
        data,
        dataIs: 'data from a session',
        lines: linesOf,
        next: [],
      };
    } finally {
      await source.close();
    }
  },
});

function toShown({
  session,
  asked,
  prompt_count,
  done,
  problems,
  problem_count,
  cost,
  final_answer,
}: SessionReport): Shown {
  return {
    started_at: session.started_at,
    duration_ms: session.duration_ms,
    ended_by: session.ended_by,
    cost_usd: cost.cost_usd,
    input_tokens: cost.input_tokens,
    output_tokens: cost.output_tokens,
    partial_usage_calls: session.partial_usage_calls,
    prices_as_of: cost.prices_as_of,
    prompt_count,
    file_count: done.file_count,
    command_count: done.command_count,
    problem_count,
    tests: done.tests.slice(0, MAX_TESTS).map(({ command, runs, failures, last }) => ({
      runs,
      failures,
      last,
      untrusted: { command: cut(command, LIMITS.line) },
    })),
    problems: problems.slice(0, MAX_PROBLEMS).map(({ kind, severity, step, cost_usd, text, detail }) => ({
      kind,
      severity,
      step,
      cost_usd,
      untrusted: { text: cut(text, LIMITS.line), detail: optional(detail, LIMITS.excerpt) },
    })),
    untrusted: {
      session_id: session.session_id,
      title: optional(session.title, LIMITS.name),
      project: optional(session.project, LIMITS.line),
      branch: optional(session.branch, LIMITS.name),
      agent: name(session.agent),
      asked: asked.slice(0, MAX_PROMPTS).map(({ text }) => cut(text, LIMITS.excerpt)),
      files: done.files.slice(0, MAX_FILES).map(({ path }) => cut(path, LIMITS.line)),
      unpriced_models: names(session.unpriced_models),
      final_answer: optional(final_answer, LIMITS.paragraph),
    },
  };
}

function linesOf({ untrusted, ...session }: Shown, show: Show): string[] {
  const { title, project, branch, agent, asked, files, unpriced_models, final_answer } = untrusted;
  const bound = (session.partial_usage_calls ?? 0) > 0 ? '≥ ' : '';
  const facts = [
    ...(session.started_at === null ? [] : [session.started_at]),
    ...(session.duration_ms === null ? [] : [span(session.duration_ms)]),
    session.cost_usd === null
      ? 'cost unknown'
      : `${bound}${money(session.cost_usd)} (price list of ${session.prices_as_of})`,
    ...(session.input_tokens === null ? [] : [`${tokens(session.input_tokens)} input tokens`]),
    ...(session.output_tokens === null ? [] : [`${bound}${tokens(session.output_tokens)} output tokens`]),
    `ended: ${endLabel(session.ended_by)}`,
  ];
  return [
    `session ${show(untrusted.session_id)}${title === null ? '' : ` "${show(title)}"`}, ${show(agent)}`,
    `project: ${project === null ? 'unknown' : show(project)}${branch === null ? '' : `, branch ${show(branch)}`}`,
    facts.join(' · '),
    ...(unpriced_models.length === 0 ? [] : [`price unknown: ${unpriced_models.map(show).join(', ')}`]),
    `asked (${session.prompt_count}):`,
    ...asked.map((text) => `- ${show(text)}`),
    `files changed (${session.file_count}): ${files.map(show).join(', ')}`,
    ...session.tests.map(
      ({ untrusted: { command }, runs, failures, last }) =>
        `tests: ${show(command)}: ${runs} runs, ${failures} failed, last ${last}`,
    ),
    ...(session.problems.length === 0 ? ['went wrong: nothing found'] : ['went wrong:']),
    ...session.problems.map(({ kind, severity, step, cost_usd, untrusted: { text, detail } }) => {
      const where = step === null ? '' : ` step ${step},`;
      const cost = cost_usd === null ? '' : ` (${money(cost_usd)})`;
      return `- ${severity ?? kind},${where} ${show(text)}${detail === null ? '' : `: ${show(detail)}`}${cost}`;
    }),
    ...(final_answer === null ? [] : [`final answer: ${show(final_answer)}`]),
  ];
}
