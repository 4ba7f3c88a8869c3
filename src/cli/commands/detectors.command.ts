import { Argument, type Command } from 'commander';
import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import type { AddCommand } from '../add-command.ts';

const load = () => import('../settings/detectors.ts');
const named = () => new Argument('<detector...>', 'as listed by `detectors list`').choices(DETECTION_TYPES);

export const addDetectors: AddCommand = (program, start) => {
  const detectors = program.command('detectors').description('Show and configure detectors.');
  detectors
    .command('list')
    .description('List detectors, whether they are enabled, and how many subtypes they report.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).listDetectors(context)));
    });
  detectors
    .command('show')
    .description('Show the subtypes of detectors with maturity, reporting and threshold.')
    .addArgument(named())
    .action(async (names: DetectionType[], _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showDetectors(context, names)));
    });
  const addSwitch = (name: string, description: string, value: boolean | null) =>
    detectors
      .command(name)
      .description(description)
      .addArgument(named())
      .action(async (names: DetectionType[], _flags: object, command: Command) => {
        await start(command, async (context) => void (await (await load()).switchDetectors(context, names, value)));
      });
  addSwitch('enable', 'Enable detectors, including their subtypes in preview.', true);
  addSwitch('disable', 'Disable detectors, starting with the next trace.', false);
  addSwitch('reset', 'Reset detectors to the default: enabled, with previews as observations.', null);
  detectors
    .command('set')
    .description('Set firing thresholds of detectors or subtypes; `none` unsets one.')
    .argument('<name=value...>', 'e.g. loop=0.6 or loop/cyclic=0.8')
    .action(async (fields: string[], _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).setFirings(context, fields)));
    });
};
