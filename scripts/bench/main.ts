import { availableParallelism, loadavg } from 'node:os';
import { measureAnalytics } from './analytics.ts';
import { measureCeilings } from './ceilings.ts';
import { measureColdStart, type StartTimes } from './cold-start.ts';
import { measureDetect } from './detect.ts';
import { measureBusyDisk } from './disk.ts';
import { measureFairness } from './fairness.ts';
import { type Growth, MAX_GROWTH, measureDetectorGrowth, measureRedactionGrowth, SELF_CHECK } from './growth.ts';
import { measureImport } from './import.ts';
import { measureIngest, type Rate } from './ingest.ts';
import { measureList } from './list.ts';
import { measurePage } from './page.ts';
import { measureSessions } from './sessions.ts';
import { measureStalls } from './stall.ts';

/**
 * `npm run bench [-- cold|ingest|import|list|analytics|detect|redaction|disk|stall|fairness|sessions|page] [--quick]
 * [--route=NAME]`: figures of one run, to be compared as ratios.
 */
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isQuick = process.argv.includes('--quick');
/** Part of the names of the routes whose stalls are measured. */
const route = process.argv.find((argument) => argument.startsWith('--route='))?.slice('--route='.length);
const isSelected = (part: string) => parts.length === 0 || parts.includes(part);

if (isSelected('cold')) {
  const cases = await measureColdStart(isQuick ? 10 : 60);
  const empty = cases[0]!;
  const describeTimes = (times: StartTimes, base: StartTimes) =>
    `p50 ${times.p50.toFixed(1)} (${(times.p50 / base.p50).toFixed(2)} ×)  p95 ${times.p95.toFixed(1)} (${(times.p95 / base.p95).toFixed(2)} ×)`;
  console.log('\nFrom start to end of a process, ms, and as a multiple of the empty one');
  for (const { name, alone, atOnce } of cases)
    console.log(
      `  ${name.padEnd(24)} alone ${describeTimes(alone, empty.alone)}   20 at once ${describeTimes(atOnce, empty.atOnce)}`,
    );
  console.log(`  load of the machine: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
}

if (isSelected('ingest')) {
  const ceilings = measureCeilings();
  console.log('\nCeilings of this machine now, spans/s of one thread');
  console.log(`  JSON.parse alone         ${ceilings.jsonParse}`);
  console.log(`  decode to spans          ${ceilings.decode}`);
  console.log(`  encode and compress      ${ceilings.encodeChunks}`);
  console.log(`  SQLite insert, NORMAL    ${ceilings.insertNormal}`);
  console.log(`  SQLite insert, FULL      ${ceilings.insertFull}`);
  console.log('\nDurable spans through HTTP into the executable (100 spans a request, 8 connections)');
  for (const durability of ['normal', 'full'] as const) {
    const figures = await measureIngest(durability, isQuick ? 3 : 8);
    const { burst, sustained, bytesPerSpan, residentMb } = figures;
    const share = ((burst.spansPerCpuSecond / ceilings.jsonParse) * 100).toFixed(0);
    console.log(`  --durability ${durability}: ${bytesPerSpan} bytes a span on disk, ${residentMb} MB resident`);
    console.log(`    storing alone       ${describe(burst)}   ${share} % of JSON.parse alone`);
    console.log(`    while analyzing     ${describe(sustained)}`);
  }
}

function describe({ spansPerSecond, spansPerCpuSecond, refusals }: Rate): string {
  const refused = Object.keys(refusals).length > 0 ? `, refused ${JSON.stringify(refusals)}` : '';
  return `${spansPerSecond} spans/s, ${spansPerCpuSecond} spans/s a core${refused}`;
}

if (isSelected('import')) {
  const { megabytes, spans, seconds, idleMb, peakMb, resumedPeakMb, killedAt } = await measureImport(
    isQuick ? 10 : 100,
  );
  console.log(
    `\nImport of ${megabytes} MB of JSON lines, ${spans} spans, killed at ${Math.round(killedAt * 100)} % and resumed`,
  );
  console.log(`  ${seconds.toFixed(1)}s in total, no span missing or duplicated`);
  console.log(`  resident: idle ${idleMb} MB, peak ${peakMb} MB, after the restart ${resumedPeakMb} MB`);
}

if (isSelected('list')) {
  const figures = await measureList(isQuick ? 200_000 : 2_000_000);
  console.log(`\nTrace list over HTTP at ${figures.spans} spans in ${figures.traces} traces, ms`);
  for (const [page, { p50, p99 }] of Object.entries(figures.pages))
    console.log(`  ${page.padEnd(20)} p50 ${p50}  p99 ${p99}`);
}

if (isSelected('analytics')) {
  const { traces, filledInSeconds, answers, rebuild } = await measureAnalytics(isQuick ? 100_000 : 1_000_000);
  console.log(
    `\nAnalytics over HTTP of a tenant with ${traces} traces over a year (stored in ${filledInSeconds} s), ms`,
  );
  for (const [request, { p50, p99 }] of Object.entries(answers))
    console.log(`  ${request.padEnd(20)} p50 ${p50}  p99 ${p99}`);
  const { p50, p99, worst } = rebuild.writes;
  console.log(`  rebuild takes ${rebuild.seconds} s; writers wait meanwhile p50 ${p50}  p99 ${p99}  worst ${worst}`);
}

if (isSelected('detect')) {
  console.log('\nDetection of one generated trace, all detectors that are enabled by default, processor time');
  for (const { name, sizes, detectors } of measureDetect(isQuick)) {
    console.log(`  ${name}`);
    for (const { steps, megabytes, readMs, detectMs: judgeMs, detectMsPer100kB: judgeMsPer100kB } of sizes)
      console.log(
        `    ${String(steps).padStart(6)} steps, ${megabytes.toFixed(1).padStart(5)} MB: read ${Math.round(readMs)} ms, judge ${Math.round(judgeMs)} ms = ${judgeMsPer100kB.toFixed(1)} ms a 100 kB`,
      );
    const [half, whole] = sizes.slice(-2);
    console.log(`    double size: ${(whole!.detectMs / half!.detectMs).toFixed(2)} × the time; by detector:`);
    for (const { type, ms, ratio } of detectors)
      console.log(
        `      ${type.padEnd(26)} ${Math.round(ms).toString().padStart(6)} ms${ratio === null ? '' : `   ${ratio.toFixed(2)} ×`}`,
      );
  }
  printGrowth('Detectors of injection and grounding', measureDetectorGrowth());
}

if (isSelected('redaction')) printGrowth('Redaction', measureRedactionGrowth());

function printGrowth(title: string, rows: readonly Growth[]): void {
  console.log(`\n${title}: growth of processor time for four times the text (4: linear, 16: quadratic)`);
  for (const { name, ms, growth } of rows)
    console.log(`  ${name.padEnd(64)} ${growth.toFixed(1).padStart(6)} ×  ${ms.toFixed(0).padStart(6)} ms`);
  const quadratic = rows.filter(({ growth }) => growth > MAX_GROWTH).map(({ name }) => name);
  if (!quadratic.includes(SELF_CHECK)) throw new Error('the self-check is not detected: these figures are invalid');
  const found = quadratic.filter((name) => name !== SELF_CHECK);
  console.log(`  above ${MAX_GROWTH} ×, without the self-check: ${found.length === 0 ? 'none' : found.join(' · ')}`);
  if (found.length > 0) process.exitCode = 1;
}

if (isSelected('sessions')) {
  const figures = measureSessions(isQuick);
  const { sessions, megabytesEach, fullSessions } = figures;
  const line = (name: string, seconds: number) => console.log(`  ${name.padEnd(44)} ${seconds.toFixed(2)} s`);
  console.log(`\nmisstep sessions on ${sessions} sessions of ${megabytesEach} MB, start to end of the process`);
  line('list without an index', figures.coldList);
  line('the same again, nothing changed', figures.secondList);
  line(`the newest ${fullSessions} in full`, figures.fullRead);
  line('the same again, nothing changed', figures.secondFullList);
  line(`all ${figures.sessions} read in full`, figures.allRead);
  line(`${figures.sessions} sessions, all figures in the index`, figures.allIndexed);
  console.log(`  load of the machine: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
}

if (isSelected('stall')) {
  const { spans, rows } = await measureStalls(isQuick ? 5_000 : 50_000, route);
  console.log(`\nLongest stall of the event loop by route, with a trace of ${spans} spans stored, ms`);
  console.log(`  ${'route'.padEnd(38)} status   stall    ping loop CPU all CPU    wall       bytes`);
  for (const { route, status, longestMs, pingMs, loopCpuMs, cpuMs, wallMs, responseBytes: answerBytes } of rows) {
    const figures = [longestMs, pingMs, loopCpuMs, cpuMs, wallMs].map((ms) => ms.toFixed(0).padStart(8)).join('');
    console.log(`  ${route.padEnd(38)} ${String(status).padStart(6)}${figures}${String(answerBytes).padStart(12)}`);
  }
  console.log(`  load of the machine: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
}

if (isSelected('disk')) {
  const rows = await measureBusyDisk(isQuick ? 10 : 40);
  console.log('\nDelays while spans are stored: the longest of each second, ms');
  const figures = ({ p50, p95, longest }: (typeof rows)[number]['delayMs']) =>
    `p50 ${p50.toFixed(0).padStart(5)}  p95 ${p95.toFixed(0).padStart(5)}  longest ${longest.toFixed(0).padStart(5)}`;
  for (const { name, spansPerSecond, delayMs, readMs, logMb } of rows) {
    console.log(`  ${name}: ${spansPerSecond} spans/s, write-ahead log at most ${logMb.toFixed(1)} MB`);
    console.log(`    event loop   ${figures(delayMs)}`);
    console.log(`    a read       ${figures(readMs)}`);
  }
  console.log(`  load of the machine: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
}

if (isSelected('fairness')) {
  const sizes = { samples: isQuick ? 8 : 40, importTraces: isQuick ? 5_000 : 30_000, expensiveSpans: 10_000 };
  const rows = await measureFairness(sizes);
  const alone = rows[0]!;
  console.log(
    '\nFrom the acknowledgement of a quiet tenant’s trace to its stored detection, ms, and as a multiple of alone',
  );
  console.log('  (including 2,000 ms until the trace settles)');
  for (const { name, p50Ms, p95Ms, longestMs, waiting } of rows) {
    const figure = (ms: number, base: number) => `${ms.toFixed(0).padStart(6)} (${(ms / base).toFixed(2)} ×)`;
    console.log(
      `  ${name.padEnd(34)} p50 ${figure(p50Ms, alone.p50Ms)}  p95 ${figure(p95Ms, alone.p95Ms)}  longest ${longestMs.toFixed(0)}   traces of others still waiting: ${waiting}`,
    );
  }
  console.log(`  load of the machine: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
}

if (isSelected('page')) {
  const { spans, open, keys, frames, wheel, heapMb, nodes } = await measurePage(isQuick ? 5_000 : 50_000);
  console.log(`\nThe page of a trace of ${spans} spans, ms of the main thread (processor time)`);
  console.log(
    `  open until the tree and a step are shown ${open.toFixed(0)}   heap ${heapMb.toFixed(1)} MB, ${nodes} nodes`,
  );
  for (const [key, cpu] of Object.entries(keys)) console.log(`  ${key.padEnd(12)} ${cpu.toFixed(1)}`);
  const { p95, worst, count } = frames;
  console.log(`  frame while scrolling ${p95.toFixed(1)}   (95th percentile of ${count}; slowest ${worst.toFixed(1)})`);
  console.log(`  wheel        ${wheel.toFixed(1)}   (all frames of an event, second slowest of 20)`);
}
