// Runs the programs of the gauge on their frameworks and writes what they export to `recorded/`.
// Usage: node record.mjs [FRAMEWORK [PROGRAM…]]; without arguments everything is recorded. GAUGE_SHOW=1 prints each turn.
import './kit/fixed-environment.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { resetEnvironment } from './kit/fixed-environment.mjs';
import { openModelServer } from './kit/model-server.mjs';
import { writeIndex, writeRecording } from './kit/recording.mjs';
import { openSink } from './kit/sink.mjs';

const FOLDER = import.meta.dirname;
const show = process.env.GAUGE_SHOW ? console.log : () => {};

/** Some frameworks throw outside of the promise that they return. */
let onLostError = () => {};
process.on('unhandledRejection', (error) => onLostError(error));

const [framework, ...names] = process.argv.slice(2);
mkdirSync(`${FOLDER}/recorded`, { recursive: true });
if (framework) await recordFramework();
else
  for (const name of readdirSync(`${FOLDER}/programs`)) {
    // One process for each framework: their instrumentations are global.
    const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
writeIndex(`${FOLDER}/recorded`);
process.exit();

async function recordFramework() {
  const [model, sink] = [await openModelServer(), await openSink()];
  const { open } = await import(`./frameworks/${framework}.mjs`);
  const opened = await open({ modelUrl: model.url, sinkUrl: sink.url });
  for (const file of readdirSync(`${FOLDER}/programs/${framework}`).sort()) {
    const name = file.replace('.mjs', '');
    if (names.length > 0 && !names.includes(name)) continue;
    const { default: program } = await import(`./programs/${framework}/${file}`);
    const runs = [];
    for (const [at, variant] of program.healthy.entries())
      runs.push(await recordRun(program, variant, name, `healthy-${at + 1}`));
    for (const [at, variant] of program.failing.entries()) {
      const { fault, agent, step, expect } = variant;
      const run = await recordRun(program, variant, name, `failing-${at + 1}`);
      runs.push({ run: run.run, fault, agent, step, expect, bodies: run.bodies });
    }
    const size = writeRecording(`${FOLDER}/recorded`, { framework, name, pattern: program.pattern }, runs);
    console.log(`${framework} ${name}: ${runs.length} runs, ${size} bytes`);
  }
  await opened.close();

  async function recordRun(program, variant, name, run) {
    resetEnvironment(`${framework} ${name} ${run}`);
    model.play((turn) => {
      const reply = program.model(turn, variant);
      show(`  ${turn.system.slice(0, 18)} < ${turn.last?.text.slice(0, 60)} > ${JSON.stringify(reply)?.slice(0, 140)}`);
      return reply;
    });
    const lost = new Promise((_, reject) => {
      onLostError = reject;
    });
    const ended = await Promise.race([program.run(opened.kit, variant), lost]).then(() => 'ok', String);
    await opened.flush();
    show(`${name} ${run}: ${ended.slice(0, 200)}`);
    if (ended !== 'ok' && run.startsWith('healthy')) {
      console.error(`${framework} ${name} ${run} did not end well: ${ended.slice(0, 400)}`);
      process.exitCode = 1;
    }
    return { run, bodies: sink.drain().filter(({ path }) => path.includes('traces')) };
  }
}
