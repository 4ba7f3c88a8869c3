import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEVERITIES, type Severity } from '../../core/severity.ts';

/** Flags that select traces. */
export interface TraceFilterFlags {
  status?: 'running' | 'ok' | 'error';
  agent?: string;
  framework?: string;
  model?: string;
  minSeverity?: Severity;
  grade?: 'A' | 'B' | 'C' | 'D' | 'F';
  minCost?: number;
  minDuration?: number;
  query?: string;
  text?: string;
  bookkeeping?: boolean;
  from?: string;
  to?: string;
}

export function addTraceFilterFlags(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'only these').choices(['running', 'ok', 'error']))
    .option('--agent <agent>', 'only traces this agent took part in')
    .option('--framework <framework>', 'only of this framework')
    .option('--model <model>', 'only runs that used this model')
    .addOption(new Option('--min-severity <severity>', 'only with a detection at least as severe').choices(SEVERITIES))
    .addOption(new Option('--grade <grade>', 'only with this grade').choices(['A', 'B', 'C', 'D', 'F']))
    .option('--min-cost <usd>', 'only with a cost of at least this many US dollars', toAmount)
    .option('--min-duration <ms>', 'only with a duration of at least this many milliseconds', toAmount)
    .option('--query <text>', 'in name, task, title, service, agents or models; or the beginning of the trace id')
    .option('--text <text>', 'text in name or task, case-insensitive')
    .option('--bookkeeping', "also traces that hold only a coding agent's own bookkeeping, without any run")
    .option('--from <date>', 'started at or after, RFC 3339')
    .option('--to <date>', 'started before, RFC 3339');
}

/** Query members of the operations. */
export function traceFilterInput(flags: TraceFilterFlags) {
  return {
    agent_id: flags.agent,
    status: flags.status,
    framework: flags.framework,
    model: flags.model,
    min_severity: flags.minSeverity,
    grade: flags.grade,
    min_cost: flags.minCost,
    min_duration: flags.minDuration,
    q: flags.query,
    text: flags.text,
    include_bookkeeping: flags.bookkeeping,
    date_from: flags.from,
    date_to: flags.to,
  };
}

function toAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new InvalidArgumentError('Give a number that is not negative.');
}
