import { type Command, Option } from 'commander';
import { DETECTION_TYPES } from '../../core/detection.ts';
import { DETECTION_ORDERS } from '../../core/detection-order.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { AddCommand } from '../add-command.ts';
import type { DetectionListFlags } from '../browse/detections.ts';
import { addPageFlags } from '../browse/page-flags.ts';

export const addDetections: AddCommand = (program, start) => {
  const detections = program.command('detections').description('Show detections.');
  addPageFlags(detections.command('list').description('List detections, newest first.'))
    .addOption(new Option('--type <type>', 'only this kind of failure').choices(DETECTION_TYPES))
    .addOption(
      new Option('--min-severity <severity>', 'omit detections of lower severity').choices(SEVERITIES).default('info'),
    )
    .option('--trace <trace-id>', 'only of this trace')
    .option('--agent <agent>', 'only those that this agent caused')
    .addOption(new Option('--validated <yes|no>', 'only those with or without feedback').choices(['yes', 'no']))
    .option('--from <date>', 'found at or after, RFC 3339')
    .option('--to <date>', 'found before, RFC 3339')
    .addOption(
      new Option('--sort <time>', 'newest first by the time of the detection, or by the start of its run')
        .choices(DETECTION_ORDERS)
        .default('created_at'),
    )
    .action(async (flags: DetectionListFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/detections.ts')).listDetections(context, flags)),
      );
    });
  detections
    .command('show')
    .description('Show one detection with its evidence and its fix.')
    .argument('<detection-id>')
    .action(async (detectionId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/detections.ts')).showDetection(context, detectionId)),
      );
    });
  detections
    .command('fixes')
    .description('Show suggested fixes of a detection, with their changes.')
    .argument('<detection-id>')
    .action(async (detectionId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/fixes.ts')).listFixes(context, detectionId)),
      );
    });
  detections
    .command('apply')
    .description('Record that you applied a fix; applies nothing.')
    .argument('<detection-id>')
    .argument('<fix-id>')
    .action(async (detectionId: string, fixId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/fixes.ts')).applyFix(context, detectionId, fixId)),
      );
    });
};
