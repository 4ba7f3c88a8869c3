import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenant, serve } from '../../test/support/served.ts';

const TICKS_PER_SECOND = 100;

/** A separate server: the built executable, an empty data folder, a tenant with a key. */
export interface BenchServer {
  url: string;
  dataFolder: string;
  tenantId: string;
  apiKey: string;
  /** Processor seconds used so far, all threads. */
  cpuSeconds(): number;
  /** Milliseconds that the thread of the event loop used so far. A busy machine does not change it. */
  loopCpuMs(): number;
  /** Resident megabytes. */
  residentMb(): number;
  /** Ends the process; the data folder stays. */
  end(): Promise<void>;
  /** Ends the process and removes the folder that was made for it. */
  stop(): Promise<void>;
}

export async function startServer(options: {
  durability: 'normal' | 'full';
  dataFolder?: string;
  /** More flags of `misstep serve`. */
  flags?: readonly string[];
}): Promise<BenchServer> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'misstep-bench-'));
  const served = await serve(dataFolder, '--durability', options.durability, '--quiet', ...(options.flags ?? []));
  const pid = served.child.pid as number;
  served.child.stderr?.pipe(process.stderr);
  const end = () => served.end('SIGTERM');
  return {
    url: served.url,
    dataFolder,
    ...(await createTenant(served.url, 'bench')),
    cpuSeconds: () => cpuSecondsOf(pid),
    loopCpuMs: () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    residentMb: () => residentMbOf(pid),
    end,
    async stop() {
      await end();
      if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Fields 14 and 15 of proc(5) stat, counted behind the command's closing bracket. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
