import { AppError } from '../../core/app-error.ts';
import {
  getThresholdsOperation,
  previewThresholdsOperation,
  putThresholdsOperation,
  resetThresholdsOperation,
} from '../../features/settings/threshold.operations.ts';
import type { ThresholdsRecord } from '../../features/settings/threshold.service.ts';
import {
  DEFAULT_THRESHOLD_RECORD,
  THRESHOLD_NAMES,
  type ThresholdChange,
  type ThresholdName,
} from '../../features/settings/threshold-fields.ts';
import type { FiringDifference, PreviewOfThresholds } from '../../features/settings/threshold-preview.ts';
import type { CommandContext } from '../context.ts';
import { counted } from '../views/amounts.ts';
import { type Column, table } from '../views/table.ts';

export interface FrameworkFlags {
  framework?: string;
}

export async function showThresholds(context: CommandContext, { framework }: FrameworkFlags): Promise<void> {
  const backend = await context.backend();
  const record = await backend.call(getThresholdsOperation, { tenant_id: await backend.tenantId(), framework });
  show(context, record, framework);
}

export async function setThresholds(
  context: CommandContext,
  fields: readonly string[],
  { framework }: FrameworkFlags,
): Promise<void> {
  const change = toChange(fields);
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  const body = framework === undefined ? { global: change } : { frameworks: { [framework]: change } };
  await backend.call(putThresholdsOperation, { tenant_id, ...body });
  show(context, await backend.call(getThresholdsOperation, { tenant_id, framework }), framework);
}

export async function resetThresholds(context: CommandContext, { framework }: FrameworkFlags): Promise<void> {
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  await backend.call(resetThresholdsOperation, { tenant_id, framework });
  context.print.note(framework === undefined ? 'All thresholds are reset.' : `Thresholds of ${framework} are reset.`);
  show(context, await backend.call(getThresholdsOperation, { tenant_id, framework }), framework);
}

export async function previewThresholds(
  context: CommandContext,
  fields: readonly string[],
  { framework }: FrameworkFlags,
): Promise<void> {
  const change = toChange(fields);
  const unset = Object.entries(change).find(([, value]) => value === null);
  if (unset) throw new AppError('usage', `preview needs values; ${unset[0]}=none is not a value.`);
  const backend = await context.backend();
  const preview = await backend.call(previewThresholdsOperation, {
    tenant_id: await backend.tenantId(),
    framework,
    ...(change as Partial<Record<ThresholdName, number>>),
  });
  if (context.options.isJson) context.print.json(preview);
  else context.print.data(previewText(preview));
}

function toChange(fields: readonly string[]): ThresholdChange {
  return Object.fromEntries(fields.map(toField));
}

function toField(text: string): [ThresholdName, number | null] {
  const [name = '', value = ''] = text.split('=', 2);
  const known = THRESHOLD_NAMES.find((each) => each === name);
  if (known === undefined)
    throw new AppError('usage', `There is no threshold "${name}"; there are ${THRESHOLD_NAMES.join(', ')}.`);
  if (value === 'none') return [known, null];
  if (value.trim() === '' || !Number.isFinite(Number(value)))
    throw new AppError('usage', `${name} takes a number or none, as in ${name}=0.9.`);
  return [known, Number(value)];
}

interface Row {
  name: ThresholdName;
  value: number | null;
  from: string;
}

const COLUMNS: Column<Row>[] = [
  { title: 'threshold', text: ({ name }) => name },
  { title: 'value', text: ({ value }) => valueText(value), align: 'right' },
  { title: 'from', text: ({ from }) => from },
  { title: 'default', text: ({ name }) => valueText(DEFAULT_THRESHOLD_RECORD[name]), align: 'right' },
];

function show({ options, print, style }: CommandContext, record: ThresholdsRecord, framework?: string): void {
  if (options.isJson) {
    print.json(record);
    return;
  }
  const rows = THRESHOLD_NAMES.map((name) => ({ name, value: record[name], from: sourceOf(record, name, framework) }));
  print.data(table(rows, COLUMNS, style));
  const own = Object.keys(record.frameworks).filter((name) => name !== framework);
  if (own.length > 0) print.note(`Own thresholds of ${own.join(', ')}: see --framework.`);
}

function sourceOf({ global, frameworks }: ThresholdsRecord, name: ThresholdName, framework?: string): string {
  if (framework !== undefined && frameworks[framework]?.[name] !== undefined) return framework;
  return global[name] === undefined ? 'default' : 'all traces';
}

function valueText(value: number | null): string {
  return value === null ? '–' : String(value);
}

function previewText({ sampled, fires_more, fires_less }: PreviewOfThresholds): string {
  const part = sampled.is_complete ? 'all' : `the newest of ${sampled.of}`;
  return [
    `Analyzed ${counted(sampled.traces, 'trace')} since ${sampled.from.slice(0, 10)} twice (${part}).`,
    differenceText('Fires more', fires_more),
    differenceText('Fires less', fires_less),
    '',
  ].join('\n');
}

function differenceText(label: string, { total, by_detector }: FiringDifference): string {
  const parts = by_detector.map(({ detector, count }) => `${detector} ${count}`).join(', ');
  return total === 0 ? `${label}: nothing.` : `${label}: ${counted(total, 'detection')} (${parts}).`;
}
