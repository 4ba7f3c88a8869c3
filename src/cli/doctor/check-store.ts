import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFileOf } from '../../app/config.ts';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { spoolFolderOf } from '../../features/spool/spool-name.ts';
import { checkDataFolder } from '../../store/data-folder/check-data-folder.ts';
import { runningServer } from '../../store/data-folder/folder-lock.ts';
import { countFailedAnalyses } from '../../store/failed-analysis.store.ts';
import { openUnmigrated, type UnmigratedStore } from '../../store/open-store.ts';
import { checkTable } from '../../store/sqlite-integrity.ts';
import { STORE_FAULTS, StoreFault } from '../../store/store-fault.ts';
import { byteText, counted } from '../views/amounts.ts';
import { correctionLine } from '../views/correction-line.ts';
import { type DoctorCheck, ok, problem, warning } from './doctor-check.ts';

export interface StoreToCheck {
  dataFolder: string;
  addonPath: string | undefined;
  /** Below this much free space, a server rejects writes. */
  minFreeBytes: number;
  clock: Clock;
}

/** Checks data folder, database and spool. Changes nothing, except permissions that are too open, like every command. */
export async function checkStore(store: StoreToCheck): Promise<DoctorCheck[]> {
  const { dataFolder } = store;
  if (!existsSync(dataFolder)) return [ok('data folder', `${dataFolder} does not exist yet`)];
  const folder = checkFolder(dataFolder);
  if (folder.status === 'problem') return [folder];
  return [folder, checkDisk(store), checkServer(store), ...(await checkDatabase(store)), checkSpool(dataFolder)];
}

function checkFolder(dataFolder: string): DoctorCheck {
  const name = 'data folder';
  try {
    const corrections = checkDataFolder(dataFolder).map(correctionLine);
    if (corrections.length === 0) return ok(name, dataFolder);
    return warning(name, corrections.join('; '), 'Nothing to do now. Check which program changed the permissions.');
  } catch (error) {
    return failedCheck(name, error);
  }
}

function checkDisk({ dataFolder, minFreeBytes }: StoreToCheck): DoctorCheck {
  const { bavail, bsize } = statfsSync(dataFolder);
  const free = bavail * bsize;
  const detail = `${byteText(free)} free`;
  if (free >= minFreeBytes) return ok('disk', detail);
  return problem(
    'disk',
    `${detail}, less than the minimum of ${byteText(minFreeBytes)}: a server rejects writes`,
    'Free space on this file system, or lower MISSTEP_MIN_FREE.',
  );
}

function checkServer({ dataFolder, addonPath }: StoreToCheck): DoctorCheck {
  const server = runningServer(dataFolder, addonPath);
  if (server === null) return ok('server', 'none is running on this folder');
  return ok('server', `process ${server.pid}${server.url === null ? '' : ` serves ${server.url}`}`);
}

async function checkDatabase(store: StoreToCheck): Promise<DoctorCheck[]> {
  const file = databaseFileOf(store.dataFolder);
  let opened: UnmigratedStore | null = null;
  try {
    const sound = checkIntegrity(file, store.addonPath);
    if (sound.status === 'problem') return [sound];
    opened = await openUnmigrated({ file, durability: 'full', addonPath: store.addonPath }, store.clock);
    const migrations = await checkMigrations(opened);
    const more = migrations.status === 'ok' ? [checkSpace(opened), await checkFailedAnalyses(opened)] : [];
    return [sound, migrations, ...more];
  } catch (error) {
    return [failedCheck('database', error)];
  } finally {
    await opened?.close();
  }
}

function checkIntegrity(file: string, addonPath: string | undefined): DoctorCheck {
  const name = 'database';
  if (!existsSync(file)) return ok(name, `${file} does not exist yet`);
  const { tables, complaint } = checkTable(file, addonPath, null);
  const integrityErrors = tables.flatMap((table) => checkTable(file, addonPath, table).complaint ?? []);
  const [found] = complaint === null ? integrityErrors : [complaint];
  if (found !== undefined) return failedCheck(name, new StoreFault('damaged', file, { detail: found }));
  return ok(name, `${file}: ${counted(tables.length, 'table')} checked, no damage`);
}

async function checkMigrations({ migrator }: UnmigratedStore): Promise<DoctorCheck> {
  const name = 'schema';
  const pending = (await migrator.status()).filter(({ appliedAt }) => appliedAt === null);
  if (pending.length === 0) return ok(name, 'up to date');
  const detail = `${counted(pending.length, 'migration')} not applied yet`;
  return warning(name, detail, 'The next command that opens the database applies them. See: misstep migrate status');
}

function checkSpace({ space }: UnmigratedStore): DoctorCheck {
  const name = 'disk space of the database';
  const { pageBytes, pages, freePages, canShrink, logBytes } = space.read();
  const detail = `${byteText(pages * pageBytes)}, of which ${byteText(freePages * pageBytes)} are unused; log ${byteText(logBytes)}`;
  if (canShrink) return ok(name, detail);
  return warning(
    name,
    `${detail}. Deletions do not shrink this file: it was created by an older version`,
    'Stop the server and run: misstep doctor --fix',
  );
}

async function checkFailedAnalyses({ db }: UnmigratedStore): Promise<DoctorCheck> {
  const count = await countFailedAnalyses(db);
  if (count === 0) return ok('analysis', 'every trace is analyzed or waits for its analysis');
  return warning('analysis', `${counted(count, 'trace')} could not be analyzed`, 'Run: misstep traces reanalyze');
}

function checkSpool(dataFolder: string): DoctorCheck {
  const folder = spoolFolderOf(dataFolder);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const bytes = names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return ok(
    'spool',
    names.length === 0 ? 'empty' : `${counted(names.length, 'file')} (${byteText(bytes)}) not yet in the store`,
  );
}

/** The message of a fault contains the path, the problem and the remedy. */
function failedCheck(name: string, error: unknown): DoctorCheck {
  if (error instanceof StoreFault) {
    const { remedy } = STORE_FAULTS[error.reason];
    return problem(name, error.message.replace(remedy, '').replace(/\. $/, ''), remedy);
  }
  if (error instanceof AppError) return problem(name, error.message, 'Remove the cause and run: misstep doctor');
  throw error;
}
