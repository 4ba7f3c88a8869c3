import { Command } from 'commander';
import { VERSION } from '../core/version.ts';
import type { AddCommand } from './add-command.ts';
import { addAgents } from './commands/agents.command.ts';
import { addAlerts } from './commands/alerts.command.ts';
import { addAnalytics } from './commands/analytics.command.ts';
import { addAnalyze } from './commands/analyze.command.ts';
import { addAudit } from './commands/audit.command.ts';
import { addCalibration } from './commands/calibration.command.ts';
import { addCheck } from './commands/check.command.ts';
import { addConversations } from './commands/conversations.command.ts';
import { addDemo } from './commands/demo.command.ts';
import { addDetections } from './commands/detections.command.ts';
import { addDetectors } from './commands/detectors.command.ts';
import { addDoctor } from './commands/doctor.command.ts';
import { addEvaluate } from './commands/evaluate.command.ts';
import { addExport } from './commands/export.command.ts';
import { addFeedback } from './commands/feedback.command.ts';
import { addGroups } from './commands/groups.command.ts';
import { addHeal } from './commands/heal.command.ts';
import { addHooks } from './commands/hooks.command.ts';
import { addImport } from './commands/import.command.ts';
import { addIngest } from './commands/ingest.command.ts';
import { addIntegrations } from './commands/integrations.command.ts';
import { addIssues } from './commands/issues.command.ts';
import { addJudge } from './commands/judge.command.ts';
import { addKeys } from './commands/keys.command.ts';
import { addLicenses } from './commands/licenses.command.ts';
import { addLink } from './commands/link.command.ts';
import { addMcp } from './commands/mcp.command.ts';
import { addMigrate } from './commands/migrate.command.ts';
import { addOverview } from './commands/overview.command.ts';
import { addServe } from './commands/serve.command.ts';
import { addSessions } from './commands/sessions.command.ts';
import { addTenants } from './commands/tenants.command.ts';
import { addThresholds } from './commands/thresholds.command.ts';
import { addTraces } from './commands/traces.command.ts';
import type { CommandWork } from './context.ts';
import type { GlobalFlags } from './global-options.ts';
import type { Io } from './io.ts';
import { commandWords, READING_COMMANDS } from './reading-commands.ts';

export type RunWork = (work: CommandWork, flags: GlobalFlags, isReading: boolean) => Promise<void>;

/** In the order of the help text. A command's modules are loaded when it runs. */
const COMMANDS: readonly AddCommand[] = [
  addAnalyze,
  addServe,
  addIngest,
  addHooks,
  addSessions,
  addImport,
  addExport,
  addCheck,
  addEvaluate,
  addDemo,
  addOverview,
  addTraces,
  addConversations,
  addDetections,
  addHeal,
  addFeedback,
  addIssues,
  addAlerts,
  addAgents,
  addAnalytics,
  addMcp,
  addGroups,
  addIntegrations,
  addDetectors,
  addThresholds,
  addCalibration,
  addJudge,
  addTenants,
  addKeys,
  addLink,
  addAudit,
  addMigrate,
  addDoctor,
  addLicenses,
];

/** The program with every command; it throws CommanderError instead of ending the process. */
export function buildProgram(io: Io, run: RunWork): Command {
  const program = new Command('misstep')
    .description('Finds what went wrong in AI-agent traces, and says which agent and which step.')
    .version(VERSION, '-V, --version')
    .option('--config <file>', 'file with settings (MISSTEP_CONFIG, default ~/.config/misstep/config.json)')
    .option('--data <folder>', 'data folder (MISSTEP_DATA)')
    .option('--server <url>', 'work against this server instead of the local store (MISSTEP_SERVER)')
    .option(
      '--api-key <key>',
      "the server's API key; MISSTEP_API_KEY or MISSTEP_API_KEY_FILE keeps it out of the process list",
    )
    .option('--tenant <tenant>', 'tenant (MISSTEP_TENANT)')
    .option('--json', 'print data as JSON')
    .option('-q, --quiet', 'print only warnings and errors on stderr')
    .option('--no-color', 'no colors (NO_COLOR)')
    .option('--no-input', 'never prompt')
    .showHelpAfterError('(misstep --help lists the commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const start = (command: Command, work: CommandWork) =>
    run(work, command.optsWithGlobals<GlobalFlags>(), READING_COMMANDS.has(commandWords(command)));
  for (const add of COMMANDS) add(program, start);
  return program;
}
