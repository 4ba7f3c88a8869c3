import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from '../../client/backend.ts';
import { AppError } from '../../core/app-error.ts';
import { getImportOperation, importResultsOperation } from '../../features/imports/import.operations.ts';
import type { ImportRecord } from '../../features/imports/import.record.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { findImportFiles } from './import-files.ts';
import { openProgress } from './import-progress.ts';
import { withReadable } from './readable-file.ts';
import { watchFiles } from './watch-files.ts';

export interface ImportFlags {
  watch?: boolean;
  format?: string;
  alert?: boolean;
}

const POLL_INTERVAL_MS = 200;
const ERRORS_SHOWN = 5;

/** @returns 0 if every file was imported, 2 if one failed, with `--watch` the exit code of the signal */
export async function runImport(
  context: CommandContext,
  named: readonly string[],
  flags: ImportFlags,
): Promise<number | undefined> {
  const { io, signal } = context;
  const files = await findImportFiles(io.cwd, named);
  if (files.length === 0 && !flags.watch) throw new AppError('usage', 'There are no files to import.');
  const backend = await context.backend();
  const ended: ImportRecord[] = [];
  const importOne = async (file: string) => {
    const job = await withReadable(file, (path) => importFile(context, backend, path, basename(file), flags));
    if (job !== null) ended.push(job);
  };
  for (const file of files) if (!signal.aborted) await importOne(file);
  if (flags.watch) return watch(context, named, importOne);
  if (signal.aborted) return typeof signal.reason === 'number' ? signal.reason : EXIT.interrupted;
  if (context.options.isJson) context.print.json(ended);
  return ended.some((job) => job.status === 'failed') ? EXIT.usage : undefined;
}

async function watch(
  { io, print, signal }: CommandContext,
  named: readonly string[],
  importOne: (file: string) => Promise<void>,
): Promise<number> {
  let working = Promise.resolve();
  const watcher = await watchFiles(io.cwd, named, (file) => {
    working = working
      .then(() => (signal.aborted ? undefined : importOne(file)))
      .catch((error: Error) => print.warn(printableLine(`misstep: ${file}: ${error.message}`)));
  });
  print.note('Watching for new files. Press Ctrl-C to stop.');
  if (!signal.aborted) await once(signal, 'abort');
  await watcher.close();
  await working;
  return typeof signal.reason === 'number' ? signal.reason : EXIT.interrupted;
}

/** @returns the finished job; null if it was interrupted */
async function importFile(
  context: CommandContext,
  backend: Backend,
  file: string,
  name: string,
  flags: ImportFlags,
): Promise<ImportRecord | null> {
  const { print, signal } = context;
  const request = { fileName: name, format: flags.format ?? null, isAlerting: flags.alert ?? false };
  const { job, isKnown } = await backend.addImport(file, request);
  if (isKnown && hasEnded(job)) {
    print.note(printableLine(`${name}: already imported (${job.import_job_id}).`));
    return job;
  }
  const ended = await follow(context, backend, job, name);
  if (!hasEnded(ended)) {
    if (signal.aborted)
      print.note(printableLine(`${name}: cut off at ${ended.spans_accepted} spans; import it again to continue.`));
    return null;
  }
  await printSummary(context, backend, ended, name);
  return ended;
}

async function follow(
  context: CommandContext,
  backend: Backend,
  job: ImportRecord,
  name: string,
): Promise<ImportRecord> {
  const { signal } = context;
  const progress = await openProgress(context, name);
  let isReclaimed = false;
  const working = backend.workOnImport(job.import_job_id, signal).then(() => {
    isReclaimed = true;
  });
  const rest = () => pause(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  try {
    let now = job;
    while (!hasEnded(now) && !signal.aborted) {
      // If a server runs the job, this command does not wait.
      await (isReclaimed ? rest() : Promise.race([rest(), working]));
      now = await backend.call(getImportOperation, { import_job_id: job.import_job_id });
      progress.show(now);
    }
    await working;
    return hasEnded(now) ? now : await backend.call(getImportOperation, { import_job_id: job.import_job_id });
  } finally {
    progress.end();
  }
}

function hasEnded({ status }: ImportRecord): boolean {
  return status !== 'queued' && status !== 'processing';
}

async function printSummary(
  { print, options }: CommandContext,
  backend: Backend,
  job: ImportRecord,
  name: string,
): Promise<void> {
  const { import_job_id, error_count } = job;
  const results = await backend.call(importResultsOperation, { import_job_id, page_size: ERRORS_SHOWN });
  const imported = `${counted(job.spans_accepted, 'span')} of ${counted(results.trace_count, 'trace')}`;
  const errors = error_count > 0 ? `, ${counted(error_count, 'error')}` : '';
  if (job.status === 'failed') print.warn(printableLine(`misstep: ${name}: ${job.failure ?? 'failed'}`));
  else if (!options.isJson) print.data(`${printableLine(`${name}: ${imported}${errors}`)}\n`);
  for (const { line, pointer, message } of results.errors)
    print.warn(printableLine(`misstep: ${name}: ${placeOfError(line, pointer)}: ${message}`));
  if (error_count > results.errors.length) print.warn(`misstep: and ${error_count - results.errors.length} more`);
}

/** A session file is one record, and its decoder names the line; in other files each line is a record. */
function placeOfError(line: number, pointer: string): string {
  if (/^line \d/.test(pointer)) return pointer;
  return pointer === '' ? `line ${line}` : `line ${line} ${pointer}`;
}
