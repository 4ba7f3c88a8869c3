import { existsSync, statfsSync, statSync } from 'node:fs';
import { databaseFileOf } from '../../app/config.ts';
import { addonPath } from '../../app/runtime-assets.ts';
import { AppError } from '../../core/app-error.ts';
import { VERSION } from '../../core/version.ts';
import { FolderLock } from '../../store/data-folder/folder-lock.ts';
import { enableShrinking } from '../../store/sqlite-rewrite.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import type { GlobalFlags } from '../global-options.ts';
import { toAppConfig } from '../serve/serve-config.ts';
import { byteText, counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import { checkSecretFiles, type EffectiveSetting, effectiveSettings } from './check-settings.ts';
import { checkStore } from './check-store.ts';
import { type DoctorCheck, ok, problem } from './doctor-check.ts';

/** @returns 1 if there is a problem, otherwise 0 @throws AppError `usage` with `--server` */
export async function runDoctor(context: CommandContext, flags: GlobalFlags, isFixing: boolean): Promise<number> {
  const { options, io, print, style } = context;
  if (flags.server !== undefined)
    throw new AppError('usage', 'doctor checks this machine only; omit --server. GET /health reports on a server.');
  if (isFixing) fix(context);
  const { dataFolder } = options;
  const [settingsCheck, minFreeBytes] = checkServeSettings(context);
  const checks = [
    ...(await checkStore({ dataFolder, addonPath: addonPath(), minFreeBytes, clock: io.clock })),
    settingsCheck,
    ...checkSecretFiles(io),
  ];
  const settings = effectiveSettings(io, flags);
  if (options.isJson) print.json({ version: VERSION, node: process.version, checks, settings });
  else print.data(report(checks, settings, style));
  return checks.some(({ status }) => status === 'problem') ? EXIT.problems : EXIT.clean;
}

/** Whether `serve` accepts the settings, and the free space that it keeps. */
function checkServeSettings({ options, io }: CommandContext): [DoctorCheck, number] {
  const name = 'settings';
  try {
    return [ok(name, 'serve accepts them'), toAppConfig({}, options, io.env).minFreeBytes];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem(name, error.message, 'Correct the setting; the list below shows where it comes from.'), 0];
  }
}

/** @throws StoreFault `in_use` while a server runs, AppError `storage_unavailable` without space for the copy */
function fix({ options: { dataFolder }, io, print }: CommandContext): void {
  const file = databaseFileOf(dataFolder);
  if (!existsSync(file)) {
    print.note('There is no database to convert.');
    return;
  }
  const hold = FolderLock.acquire(dataFolder, io.clock.now(), addonPath());
  try {
    const before = statSync(file).size;
    const { bavail, bsize } = statfsSync(dataFolder);
    if (bavail * bsize < 2 * before)
      throw new AppError('storage_unavailable', `Converting ${file} needs ${byteText(2 * before)} of free disk space.`);
    enableShrinking(file, addonPath());
    print.note(`Converted ${file}: ${byteText(before)} before, ${byteText(statSync(file).size)} now.`);
  } finally {
    hold.release();
  }
}

function report(checks: readonly DoctorCheck[], settings: readonly EffectiveSetting[], style: Style): string {
  const lines = checks.flatMap(({ name, status, detail, remedy }) => [
    `${painted(status, style)}  ${style.bold(printableLine(name))}: ${printableLine(detail)}`,
    ...(remedy === null ? [] : [`         ${printableLine(remedy)}`]),
  ]);
  const set = settings.filter(({ value }) => value !== null);
  const rows = set.map(
    ({ variable, value, source }) =>
      `  ${printableLine(`${variable}=${value}`)}  ${style.dim(`(${printableLine(source)})`)}`,
  );
  const unset = counted(settings.length - set.length, 'setting');
  const all = [
    `misstep ${VERSION}, Node ${process.version}`,
    ...lines,
    '',
    'Settings',
    ...rows,
    style.dim(`  ${unset} not set: the default applies (--json lists them).`),
  ];
  return `${all.join('\n')}\n`;
}

function painted(status: DoctorCheck['status'], style: Style): string {
  const text = status.padEnd(7);
  if (status === 'ok') return style.success(text);
  return style.severity(status === 'problem' ? 'critical' : 'warning', text);
}
