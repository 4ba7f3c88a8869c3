import type { Backend } from '../../client/backend.ts';
import { AppError } from '../../core/app-error.ts';
import type { DetectionType } from '../../core/detection.ts';
import type { OutputOf } from '../../features/_kit/operation.ts';
import {
  getDetectorsOperation,
  getOverridesOperation,
  putDetectorsOperation,
  putOverridesOperation,
} from '../../features/settings/settings.operations.ts';
import type { CommandContext } from '../context.ts';
import { type Column, table } from '../views/table.ts';

type Detector = OutputOf<typeof getDetectorsOperation>['items'][number];
type Firings = OutputOf<typeof getOverridesOperation>;

export async function listDetectors(context: CommandContext): Promise<void> {
  const backend = await context.backend();
  list(context, (await backend.call(getDetectorsOperation, { tenant_id: await backend.tenantId() })).items);
}

export async function showDetectors(context: CommandContext, names: readonly DetectionType[]): Promise<void> {
  await show(context, await context.backend(), names);
}

/** @param value null restores the default */
export async function switchDetectors(
  context: CommandContext,
  names: readonly DetectionType[],
  value: boolean | null,
): Promise<void> {
  const backend = await context.backend();
  const change = Object.fromEntries(names.map((name) => [name, value]));
  const { items } = await backend.call(putDetectorsOperation, { tenant_id: await backend.tenantId(), ...change });
  list(
    context,
    items.filter(({ detector }) => names.some((name) => name === detector)),
  );
  context.print.note('Applies from the next trace that is analyzed.');
}

export async function setFirings(context: CommandContext, fields: readonly string[]): Promise<void> {
  const change = Object.fromEntries(fields.map(toField));
  const backend = await context.backend();
  await backend.call(putOverridesOperation, { tenant_id: await backend.tenantId(), ...change });
  await show(
    context,
    backend,
    Object.keys(change).map((name) => name.split('/', 1)[0]!),
  );
}

function toField(text: string): [string, number | null] {
  const [name = '', value = ''] = text.split('=', 2);
  if (value === 'none') return [name, null];
  if (value.trim() === '' || !Number.isFinite(Number(value)))
    throw new AppError('usage', `${name} takes a number from 0 to 1 or none, as in ${name}=0.6.`);
  return [name, Number(value)];
}

const DETECTOR_COLUMNS: Column<Detector>[] = [
  { title: 'detector', text: ({ detector }) => detector },
  { title: 'state', text: stateText },
  { title: 'reported', text: ({ subtypes }) => `${reportedOf(subtypes)} of ${subtypes.length}`, align: 'right' },
  { title: 'facts', text: ({ subtypes }) => String(countOf(subtypes, 'fact')), align: 'right' },
  { title: 'measured', text: ({ subtypes }) => String(countOf(subtypes, 'measured')), align: 'right' },
  { title: 'previews', text: ({ subtypes }) => String(countOf(subtypes, 'preview')), align: 'right' },
  { title: 'tier', text: ({ tier }) => tier },
];

function list({ options, print, style }: CommandContext, items: Detector[]): void {
  if (options.isJson) print.json({ items });
  else print.data(table(items, DETECTOR_COLUMNS, style));
}

function stateText({ enabled, reports_previews }: Detector): string {
  if (!enabled) return 'off';
  return reports_previews ? 'on, with previews' : 'on';
}

function reportedOf(subtypes: Detector['subtypes']): number {
  return subtypes.filter(({ reported }) => reported).length;
}

function countOf(subtypes: Detector['subtypes'], maturity: Detector['subtypes'][number]['maturity']): number {
  return subtypes.filter((one) => one.maturity === maturity).length;
}

interface SubtypeRow {
  name: string;
  maturity: string;
  isReported: boolean;
  /** `always` for a fact that is not limited by a threshold of the user. */
  firing: string;
  source: string;
}

const SUBTYPE_COLUMNS: Column<SubtypeRow>[] = [
  { title: 'subtype', text: ({ name }) => name },
  { title: 'maturity', text: ({ maturity }) => maturity },
  { title: 'reported', text: ({ isReported }) => (isReported ? 'yes' : 'no') },
  { title: 'fires from', text: ({ firing }) => firing, align: 'right' },
  { title: 'set by', text: ({ source }) => (source === 'override' ? 'you' : 'default') },
];

async function show(
  { options, print, style }: CommandContext,
  backend: Backend,
  names: readonly string[],
): Promise<void> {
  const tenant_id = await backend.tenantId();
  const { items } = await backend.call(getDetectorsOperation, { tenant_id });
  const firings = await backend.call(getOverridesOperation, { tenant_id });
  const shown = items.filter(({ detector }) => names.includes(detector));
  if (options.isJson) {
    print.json({ items: shown.map((item) => ({ ...item, thresholds: firings[item.detector] })) });
    return;
  }
  print.data(
    table(
      shown.flatMap((item) => subtypeRows(item, firings)),
      SUBTYPE_COLUMNS,
      style,
    ),
  );
  for (const { detector } of shown)
    for (const { framework, subtype, effective } of firings[detector]?.adapted ?? [])
      print.note(
        `${detector}/${subtype} fires from ${effective.toFixed(2)} in traces of ${framework}, adapted to them.`,
      );
}

function subtypeRows({ detector, subtypes }: Detector, firings: Firings): SubtypeRow[] {
  return subtypes.map(({ subtype, maturity, reported }) => {
    const { effective = 0, source = 'calibrated' } = firings[detector]?.subtypes[subtype] ?? {};
    const firing = maturity === 'fact' && source !== 'override' ? 'always' : effective.toFixed(2);
    return { name: `${detector}/${subtype}`, maturity, isReported: reported, firing, source };
  });
}
