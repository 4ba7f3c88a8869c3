import { overviewOperation } from '../../features/overview/overview.operations.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';

const EXPLANATION =
  'New traces started since then. New detections and issues were made since then, also in older\ntraces that arrived later. An issue on which somebody has acted is not new.';

export async function showOverview(context: CommandContext, since: string | undefined): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const overview = await store.call(overviewOperation, { tenant_id: await store.tenantId(), since });
  if (options.isJson) return print.json(overview);
  const { traces, issues, detections, healing, imports, alerts } = overview;
  const text = (value: number) => (value >= overview.most ? `${count(value)} or more` : count(value));
  print.data(
    facts(
      [
        ['since', overview.since],
        ['new traces', `${text(traces.new)}, ${text(traces.failed)} failed; ${text(traces.running)} running now`],
        ['new detections', text(detections.new)],
        [
          'open issues',
          `${text(issues.open)}, ${text(issues.critical)} critical, ${text(issues.new)} new, ${text(issues.regressed)} regressed`,
        ],
        [
          'plans',
          `${text(healing.waiting)} waiting for a person: ${text(healing.pending_approval)} to approve, ${text(healing.unknown)} to check`,
        ],
        ['imports', `${text(imports.active)} active, ${text(imports.failed)} failed`],
        ['alerts', `${text(alerts.failed)} not delivered`],
        ['analysis', `${text(traces.analysis_waiting)} waiting, ${text(traces.analysis_given_up)} given up`],
      ],
      style,
    ),
  );
  print.data(`\n${style.dim(EXPLANATION)}\n`);
}
