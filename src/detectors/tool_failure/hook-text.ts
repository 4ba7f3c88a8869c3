import type { HookRun, Trace } from '../../core/trace.ts';
import { counted, joined } from '../_kit/text.ts';
import type { FailureGroup } from './failures.ts';

const MAX_TOOLS = 5;

/** For which events and tools the failed hooks ran, and whether the calls proceeded. With a leading space; empty for other steps. */
export function hookText({ steps }: Trace, { failures }: FailureGroup): string {
  const hooks = failures.flatMap(({ step }) => steps[step]!.hook ?? []);
  if (hooks.length < failures.length) return '';
  const events = [...Map.groupBy(hooks, ({ event }) => event)];
  const tools = [...new Set(hooks.flatMap(({ tool }) => tool ?? []))];
  const isOne = hooks.length === 1;
  const named = joined(events.map(([event, same]) => (isOne ? event : `${event} (${same.length})`)));
  const shown =
    tools.length > MAX_TOOLS
      ? counted(tools.length, 'tool')
      : `the ${tools.length === 1 ? 'tool' : 'tools'} ${joined(tools)}`;
  const forTools = tools.length === 0 ? '' : `, for ${shown}`;
  return ` ${isOne ? 'It is a hook' : 'They are hooks'} of ${named}${forTools}.${proceedText(hooks)}`;
}

/** With a leading space; empty if a call was blocked, or if no hook decides on one. */
function proceedText(hooks: readonly HookRun[]): string {
  const decisions = hooks.flatMap(({ letsProceed }) => letsProceed ?? []);
  if (decisions.length === 0 || decisions.includes(false)) return '';
  return decisions.length === 1
    ? ' The hook that decides on a call let it proceed.'
    : ' The hooks that decide on a call let it proceed.';
}
