import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { processIo } from './io.ts';
import { buildProgram } from './program.ts';
import { commandWords, READING_COMMANDS } from './reading-commands.ts';

const WRITING_COMMANDS = [
  'alerts test',
  'analytics rebuild',
  'calibration off',
  'calibration on',
  'calibration reset',
  'demo',
  'detections apply',
  'detectors disable',
  'detectors enable',
  'detectors reset',
  'detectors set',
  'feedback add',
  'feedback withdraw',
  'groups assign',
  'groups auto-detect',
  'groups create',
  'groups delete',
  'heal approve',
  'heal check',
  'heal execute',
  'heal plan',
  'heal policy',
  'heal reject',
  'heal resolve',
  'heal rollback',
  'hooks install',
  'hooks uninstall',
  'import',
  'ingest',
  'integrations add',
  'integrations change',
  'integrations check',
  'integrations discover',
  'integrations remove',
  'integrations rotate',
  'integrations sync',
  'issues ignore',
  'issues reopen',
  'issues resolve',
  'issues snooze',
  'judge off',
  'judge on',
  'keys create',
  'keys revoke',
  'link',
  'doctor',
  'migrate down',
  'migrate up',
  'serve',
  'tenants create',
  'tenants delete',
  'tenants set',
  'thresholds reset',
  'thresholds set',
  'traces delete',
  // Commands of other parts of the program.
  'doctor',
  'traces reanalyze',
];

it('every command is known to read or to write', () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const words = leaves(buildProgram(processIo(), async () => {})).map(commandWords);
  const unknown = words.filter((each) => !READING_COMMANDS.has(each) && !WRITING_COMMANDS.includes(each));
  expect(unknown).toEqual([]);
  expect([...READING_COMMANDS].filter((each) => !words.includes(each))).toEqual([]);
  expect(WRITING_COMMANDS.filter((each) => READING_COMMANDS.has(each))).toEqual([]);
});
