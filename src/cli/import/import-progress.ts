import type { ImportRecord } from '../../features/imports/import.record.ts';
import type { CommandContext } from '../context.ts';
import { count, counted, duration, percent } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';

/** Shows the progress of one file: a bar in a terminal, a line per quarter otherwise. */
export interface ImportProgress {
  show(job: ImportRecord): void;
  end(): void;
}

const BAR = 24;

export async function openProgress({ io, options, print }: CommandContext, name: string): Promise<ImportProgress> {
  if (options.isQuiet) return { show: () => {}, end: () => {} };
  if (!io.stderr.isTTY || !io.stderr.columns) return plainProgress(name, print.note);
  const { default: ora } = await import('ora');
  const spinner = ora({ stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start(printableLine(name));
  return {
    show: (job) => {
      spinner.text = barLine(name, job);
    },
    end: () => void spinner.stop(),
  };
}

function plainProgress(name: string, note: (line: string) => void): ImportProgress {
  let reportedQuarter = 0;
  return {
    show(job) {
      const quarter = Math.floor(job.progress * 4);
      if (job.status !== 'processing' || quarter <= reportedQuarter) return;
      reportedQuarter = quarter;
      note(printableLine(`${name}: ${percent(job.progress)}, ${counted(job.spans_accepted, 'span')}`));
    },
    end: () => {},
  };
}

function barLine(name: string, job: ImportRecord): string {
  const full = Math.round(job.progress * BAR);
  const left = job.eta_seconds === null ? '' : `, ${duration(job.eta_seconds * 1000)} left`;
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  return printableLine(`${name} ${bar} ${percent(job.progress)}, ${count(job.spans_accepted)} spans${left}`);
}
