import type { OutputOf } from '../../features/_kit/operation.ts';
import { getJudgeOperation, putJudgeOperation } from '../../features/judge/judge.operations.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';

export async function showJudge(context: CommandContext): Promise<void> {
  const backend = await context.backend();
  show(context, await backend.call(getJudgeOperation, { tenant_id: await backend.tenantId() }));
}

export async function changeJudge(
  context: CommandContext,
  { enabled, dailyCalls }: { enabled: boolean; dailyCalls?: number | 'default' | undefined },
): Promise<void> {
  const backend = await context.backend();
  const calls = dailyCalls === undefined ? {} : { daily_calls: dailyCalls === 'default' ? null : dailyCalls };
  const change = { tenant_id: await backend.tenantId(), enabled, ...calls };
  show(context, await backend.call(putJudgeOperation, change));
}

type Status = OutputOf<typeof getJudgeOperation>;

function show({ options, print, style }: CommandContext, status: Status): void {
  if (options.isJson) {
    print.json(status);
    return;
  }
  const { calls_today, daily_calls, tokens_today, daily_tokens, skipped_today, paused_until } = status;
  const rows: [string, string][] = [
    ['judge', switchText(status)],
    ['model', status.model === null ? 'none' : `${status.model} (${status.provider})`],
    ['asked today', `${count(calls_today)} of ${count(daily_calls)} questions`],
    ['used today', `${count(tokens_today)} of ${count(daily_tokens)} tokens`],
    ['not asked', `${count(skipped_today)} because the budget is used up until ${status.resets_at}`],
  ];
  if (paused_until !== null) rows.push(['paused', `until ${paused_until}: the model does not respond`]);
  print.data(facts(rows, style));
}

function switchText({ enabled, configured }: Status): string {
  if (!enabled) return 'off';
  return configured ? 'on' : 'on, but no model is configured';
}
