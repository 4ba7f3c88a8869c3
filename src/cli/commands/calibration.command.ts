import { type Command, InvalidArgumentError } from 'commander';
import type { AddCommand } from '../add-command.ts';

const load = () => import('../settings/calibration.ts');

export const addCalibration: AddCommand = (program, start) => {
  const calibration = program
    .command('calibration')
    .description('Show and configure how detectors adapt to your traffic.');
  calibration
    .command('show')
    .description('Show adapted thresholds, their data and their start time.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showCalibration(context)));
    });
  calibration
    .command('on')
    .description('Enable adaptation.')
    .option('--alert-rate <share>', 'target share of traces with a warning, e.g. 0.05', toShare)
    .action(async ({ alertRate }: { alertRate?: number }, command: Command) => {
      await start(
        command,
        async (context) => void (await (await load()).changeCalibration(context, { enabled: true, alertRate })),
      );
    });
  calibration
    .command('off')
    .description('Disable adaptation; collected data is kept.')
    .action(async (_flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await load()).changeCalibration(context, { enabled: false })),
      );
    });
  calibration
    .command('reset')
    .description('Delete collected data and start again with the next trace.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).resetCalibration(context)));
    });
};

function toShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && Number.isFinite(share)) return share;
  throw new InvalidArgumentError('Give a number such as 0.05, for one trace in twenty.');
}
