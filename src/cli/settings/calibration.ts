import {
  getCalibrationOperation,
  putCalibrationOperation,
  resetCalibrationOperation,
} from '../../features/calibration/calibration.operations.ts';
import type { CalibrationRecord } from '../../features/calibration/calibration.record.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import { type Column, table } from '../views/table.ts';

export async function showCalibration(context: CommandContext): Promise<void> {
  const backend = await context.backend();
  show(context, await backend.call(getCalibrationOperation, { tenant_id: await backend.tenantId() }));
}

export async function changeCalibration(
  context: CommandContext,
  { enabled, alertRate }: { enabled: boolean; alertRate?: number | undefined },
): Promise<void> {
  const backend = await context.backend();
  const change = { tenant_id: await backend.tenantId(), enabled, target_alert_rate: alertRate };
  show(context, await backend.call(putCalibrationOperation, change));
}

export async function resetCalibration(context: CommandContext): Promise<void> {
  const backend = await context.backend();
  await backend.call(resetCalibrationOperation, { tenant_id: await backend.tenantId() });
  context.print.note('Deleted the collected data.');
  await showCalibration(context);
}

type Framework = CalibrationRecord['frameworks'][number];
type Row = Framework['adapted'][number] & { framework: string };

const COLUMNS: Column<Row>[] = [
  { title: 'framework', text: ({ framework }) => framework, limit: 24 },
  { title: 'failure', text: ({ detector, subtype }) => `${detector}/${subtype}` },
  { title: 'default', text: (row) => row.default.toFixed(2), align: 'right' },
  { title: 'fires from', text: ({ firing }) => firing.toFixed(2), align: 'right' },
  { title: 'why', text: ({ reason }) => reason },
  { title: 'since', text: ({ since }) => since },
];

function show({ options, print, style }: CommandContext, record: CalibrationRecord): void {
  if (options.isJson) {
    print.json(record);
    return;
  }
  const { enabled, target_alert_rate, min_traces, frameworks } = record;
  const lines: [string, string][] = [
    ['self-calibration', enabled ? 'on' : 'off'],
    ['target alert rate', `${percent(target_alert_rate)} of traces`],
    ...frameworks.map((each): [string, string] => [each.framework, stateText(each, min_traces)]),
  ];
  print.data(facts(lines, style));
  const rows = frameworks.flatMap(({ framework, adapted }) => adapted.map((kind) => ({ ...kind, framework })));
  if (rows.length > 0) print.data(`\n${table(rows, COLUMNS, style)}`);
}

function stateText({ state, traces, alert_rate, riskiest }: Framework, needed: number): string {
  if (traces < needed) return state === 'off' ? 'off' : `${traces} of ${needed} traces collected`;
  const rates = alert_rate ? `, alerts on ${percent(alert_rate.before)} of traces -> ${percent(alert_rate.after)}` : '';
  const worst = riskiest ? `, the ${percent(riskiest.share)} highest-risk runs are reported` : '';
  const standing = {
    off: 'off',
    own_scaling: 'your own confidence_scaling applies',
    in_effect: 'adapted',
    collecting: '',
  };
  return `${standing[state]} by ${count(traces)} traces${rates}${worst}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
