// Runs the programs of the gauge on their frameworks and writes what they export to `recorded/`.
// Usage: node record.mjs [FRAMEWORK [PROGRAM…]]; without arguments everything is recorded.
import './kit/fixed-world.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { resetWorld } from './kit/fixed-world.mjs';
import { openModelServer } from './kit/model-server.mjs';
import { openSink } from './kit/sink.mjs';

const FOLDER = import.meta.dirname;
const [framework, ...names] = process.argv.slice(2);

if (framework) await record(framework, names);
else for (const name of readdirSync(`${FOLDER}/programs`)) {
  const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

async function record(framework, only) {
  const [model, sink] = [await openModelServer(), await openSink()];
  const { open } = await import(`./frameworks/${framework}.mjs`);
  const { kit, flush, close } = await open({ modelUrl: model.url, sinkUrl: sink.url });
  for (const file of readdirSync(`${FOLDER}/programs/${framework}`).sort()) {
    const name = file.replace('.mjs', '');
    if (only.length > 0 && !only.includes(name)) continue;
    const { default: program } = await import(`./programs/${framework}/${file}`);
    const runs = [];
    for (const [kind, variants] of [['healthy', program.healthy], ['failing', program.failing]])
      for (const [at, variant] of variants.entries()) {
        const run = `${kind}-${at + 1}`;
        const failing = kind === 'failing';
        resetWorld(`${framework} ${name} ${run}`);
        model.play((turn) => {
          const reply = program.model(turn, { ...variant, failing });
          if (process.env.GAUGE_TURNS) console.log(`  ${turn.system.slice(0, 18)} <- ${turn.last?.text.slice(0, 60)} -> ${JSON.stringify(reply)?.slice(0, 140)}`);
          return reply;
        });
        let ended = 'ok';
        try {
          await program.run(kit, { ...variant, failing });
        } catch (error) {
          ended = String(error?.message ?? error);
        }
        await flush();
        const { fault = null, agent = null } = variant;
        const bodies = sink.take().filter(({ path }) => path.includes('traces'));
        if (process.env.GAUGE_SHOW) console.log(`${name} ${run}: ${ended.slice(0, 200)}; ${bodies.length} bodies`);
        else if (!failing && ended !== 'ok') console.error(`${name} ${run}: ${ended.slice(0, 400)}`);
        runs.push({ run, ...(failing && { fault, agent }), bodies });
      }
    const head = { framework, name, pattern: program.pattern };
    const lines = [head, ...runs].map((line) => JSON.stringify(line)).join('\n');
    const zipped = brotliCompressSync(`${lines}\n`, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 } });
    writeFileSync(`${FOLDER}/recorded/${framework}.${name}.jsonl.br`, zipped);
    console.log(`${framework} ${name}: ${runs.length} runs, ${zipped.length} bytes`);
  }
  await close();
  model.close();
  sink.close();
  setTimeout(() => process.exit(), 200).unref();
}
