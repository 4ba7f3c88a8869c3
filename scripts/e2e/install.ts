import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmFailure } from './npm-failure.ts';
import { PROGRAMS_FOLDER, type ProgramName, packageOf, STAMP } from './programs.ts';

const ARGUMENTS = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=2000',
  '--loglevel=error',
];

/** Installs the packages of one program unless these versions are installed. Returns why it failed, or null. */
export async function installProgram(cache: string, name: ProgramName): Promise<string | null> {
  const folder = join(cache, name);
  const stamp = join(folder, STAMP);
  const description = readFileSync(join(PROGRAMS_FOLDER, name, 'package.json'));
  const digest = createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(description).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return null;
  process.stderr.write(`misstep: installing ${name}\n`);
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  copyFileSync(join(PROGRAMS_FOLDER, name, 'package.json'), join(folder, 'package.json'));
  const { npmArguments = [], rebuild = [] } = packageOf(name).misstep ?? {};
  const steps = [['install', ...ARGUMENTS, ...npmArguments]];
  if (rebuild.length > 0) steps.push(['rebuild', '--ignore-scripts=false', ...rebuild]);
  for (const args of steps) {
    const { code, stderr } = await runNpm(folder, args);
    if (code !== 0) return npmFailure(stderr);
  }
  writeFileSync(stamp, digest);
  return null;
}

async function runNpm(cwd: string, args: string[]): Promise<{ code: number; stderr: string }> {
  const npm = process.env.npm_execpath;
  const isScript = npm !== undefined && /\.[cm]?js$/.test(npm);
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(isScript ? process.execPath : command, isScript ? [npm, ...args] : args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (part) => {
    stderr += part;
  });
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 127, stderr: error.message }));
    child.once('close', (code) => done({ code: code ?? 1, stderr }));
  });
}
