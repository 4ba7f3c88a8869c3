import { toRfc3339 } from '../../core/clock.ts';
import type { SessionEnd } from '../../core/trace.ts';
import { SESSION_ENDS } from '../../core/trace.ts';
import { dateOfDay, dayOf } from '../../core/trace-figures.ts';
import { pricesAsOf } from '../../formats/model-catalog/price-list.ts';
import { proposalsOf, repeatedCorrections } from './repeated-corrections.ts';
import type { SessionItem } from './session.record.ts';
import type { SessionDigest } from './session-digest.ts';
import type { SessionWeek } from './week.record.ts';

const MAX_DETOURS = 15;
const MAX_TESTS = 15;
const MAX_LOST = 15;

/** Summarizes sessions, newest first. @param fromMs and toMs Unix milliseconds, the period */
export function summarizeSessions(items: readonly SessionItem[], fromMs: number, toMs: number): SessionWeek {
  const digests = items.flatMap(({ digest }) => digest ?? []);
  const sum = (figure: (digest: SessionDigest) => number) => digests.reduce((total, each) => total + figure(each), 0);
  const corrections = repeatedCorrections(items);
  return {
    from: toRfc3339(fromMs),
    to: toRfc3339(toMs),
    session_count: items.length,
    incomplete_count: items.length - digests.length,
    cost_usd: costOf(items),
    unpriced_models: [...new Set(digests.flatMap(({ unpricedModels }) => unpricedModels))],
    // Stored digests of earlier versions lack the figure.
    partial_usage_calls: sum(({ partialUsageCalls }) => partialUsageCalls ?? 0),
    prices_as_of: pricesAsOf(),
    refusals: sum(({ refusals }) => refusals),
    interrupts: sum(({ interrupts }) => interrupts),
    failures: sum(({ failures }) => failures),
    compactions: sum(({ compactions }) => compactions),
    ended_by: endsOf(items),
    days: daysOf(items),
    projects: projectsOf(items),
    corrections,
    detours: detoursOf(items),
    failing_tests: testsOf(items),
    lost_instructions: items
      .flatMap(({ digest, project, sessionId }) =>
        (digest?.lostInstructions ?? []).map(({ text, before }) => ({ project, session_id: sessionId, text, before })),
      )
      .slice(0, MAX_LOST),
    reread_count: sum(({ rereads }) => rereads),
    proposals: proposalsOf(corrections, items),
  };
}

/** Null if no session has a known cost. */
function costOf(items: readonly SessionItem[]): number | null {
  const costs = items.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

function endsOf(items: readonly SessionItem[]): Record<SessionEnd, number> {
  const counts = Object.fromEntries(SESSION_ENDS.map((end) => [end, 0])) as Record<SessionEnd, number>;
  for (const { endedBy } of items) counts[endedBy ?? 'unknown'] += 1;
  return counts;
}

function daysOf(items: readonly SessionItem[]): SessionWeek['days'] {
  const dated = items.filter(({ startedAtMs }) => startedAtMs !== null);
  const days = Map.groupBy(dated, ({ startedAtMs }) => dayOf(startedAtMs as number));
  return [...days]
    .sort(([one], [other]) => one - other)
    .map(([day, same]) => ({ date: dateOfDay(day), session_count: same.length, cost_usd: costOf(same) }));
}

function projectsOf(items: readonly SessionItem[]): SessionWeek['projects'] {
  return [...Map.groupBy(items, ({ project }) => project)]
    .map(([project, same]) => ({
      project,
      session_count: same.length,
      cost_usd: costOf(same),
      refusals: same.reduce((sum, { digest }) => sum + (digest?.refusals ?? 0), 0),
      failures: same.reduce((sum, { digest }) => sum + (digest?.failures ?? 0), 0),
      branches: branchesOf(same),
    }))
    .sort((one, other) => (other.cost_usd ?? 0) - (one.cost_usd ?? 0) || other.session_count - one.session_count);
}

function branchesOf(items: readonly SessionItem[]): SessionWeek['projects'][number]['branches'] {
  const named = items.filter(({ branch }) => branch !== null);
  return [...Map.groupBy(named, ({ branch }) => branch as string)]
    .map(([branch, same]) => ({ branch, session_count: same.length, cost_usd: costOf(same) }))
    .sort((one, other) => (other.cost_usd ?? 0) - (one.cost_usd ?? 0));
}

function detoursOf(items: readonly SessionItem[]): SessionWeek['detours'] {
  return items
    .flatMap(({ digest, project, sessionId }) =>
      (digest?.detours ?? []).map(({ kind, text, costUsd, tokens }) => {
        return { project, session_id: sessionId, kind, text, cost_usd: costUsd, tokens };
      }),
    )
    .sort((one, other) => other.cost_usd - one.cost_usd || other.tokens - one.tokens)
    .slice(0, MAX_DETOURS);
}

function testsOf(items: readonly SessionItem[]): SessionWeek['failing_tests'] {
  const failed = items.flatMap(({ digest, project, sessionId }) =>
    (digest?.failingTests ?? []).map((test) => ({ ...test, project, sessionId })),
  );
  return [...Map.groupBy(failed, ({ project, name }) => JSON.stringify([project, name])).values()]
    .map((same) => ({
      project: same[0]!.project,
      name: same[0]!.name,
      runs: same.reduce((sum, { runs }) => sum + runs, 0),
      sessions: [...new Set(same.map(({ sessionId }) => sessionId))],
      // The newest session decides.
      solved: same[0]!.isSolved,
    }))
    .sort((one, other) => other.sessions.length - one.sessions.length || other.runs - one.runs)
    .slice(0, MAX_TESTS);
}
