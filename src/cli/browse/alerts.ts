import {
  getPreferencesOperation,
  listAlertsOperation,
  testAlertsOperation,
} from '../../features/alerts/alert.operations.ts';
import type { AlertRecord } from '../../features/alerts/alert.record.ts';
import type { ChannelStatus, PreferencesRecord } from '../../features/alerts/preferences.record.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { facts } from '../views/facts.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface AlertListFlags extends PageFlags {
  state?: 'held' | 'sent' | 'dropped';
  issue?: string;
}

export async function listAlerts(context: CommandContext, flags: AlertListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listAlertsOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    state: flags.state,
    issue_id: flags.issue,
  });
  const pages = await backend.pages();
  const urlOf = ({ trace_id: traceId, detection_id: detectionId }: AlertRecord) =>
    pages.trace({ traceId, detectionId });
  printPage(context, page, alertColumns(context.style), 'alerts', urlOf);
}

export async function showPreferences(context: CommandContext): Promise<void> {
  const backend = await context.backend();
  const preferences = await backend.call(getPreferencesOperation, { tenant_id: await backend.tenantId() });
  if (context.options.isJson) context.print.json(preferences);
  else context.print.data(facts(preferenceFacts(preferences), context.style));
}

/** One line per receiver; a channel that rejected its test makes the command fail. */
export async function testAlerts(context: CommandContext): Promise<number> {
  const { print, options } = context;
  const backend = await context.backend();
  const { results } = await backend.call(testAlertsOperation, { tenant_id: await backend.tenantId() });
  if (options.isJson) print.json({ results });
  else {
    for (const { channel, target, delivered, problem } of results) {
      const receiver = target === null ? channel : `${channel} ${target}`;
      const outcome = delivered ? 'delivered' : `not delivered. ${problem ?? ''}`;
      print.data(`${printableLine(`${receiver}: ${outcome}`)}\n`);
    }
  }
  if (results.length === 0) print.warn('No channel is enabled. Enable one with PUT /preferences/notifications.');
  return results.length > 0 && results.every(({ delivered }) => delivered) ? EXIT.clean : EXIT.failure;
}

function alertColumns(style: Style): Column<AlertRecord>[] {
  return [
    { title: 'created', text: (alert) => alert.created_at },
    {
      title: 'severity',
      text: ({ severity }) => severity,
      paint: ({ severity }, text) => style.severity(severity, text),
    },
    { title: 'failure', text: (alert) => `${alert.detection_type}/${alert.subtype}` },
    { title: 'title', text: (alert) => alert.title, limit: 40 },
    { title: 'repeats', text: (alert) => (alert.repeats === 0 ? '' : String(alert.repeats)), align: 'right' },
    { title: 'state', text: stateText },
    { title: 'channels', text: channelText, limit: 60 },
    { title: 'detection', text: (alert) => alert.detection_id },
  ];
}

function stateText({ state, reason, held_until: until }: AlertRecord): string {
  if (state === 'held') return `held until ${until ?? '?'}`;
  return state === 'dropped' ? `dropped: ${reason ?? '?'}` : state;
}

function channelText({ deliveries }: AlertRecord): string {
  return deliveries.map(({ channel, state }) => `${channel} ${state}`).join(', ') || '–';
}

function preferenceFacts({ min_severity, channels, per_detector, quiet_hours, digest }: PreferencesRecord) {
  const floors = Object.entries(per_detector).map(([name, floor]) => `${name} ${floor?.min_severity}`);
  const { start, end, timezone, severity_floor_during: floor } = quiet_hours;
  const lines: [string, string][] = [
    ['from severity', min_severity],
    ['by detector', floors.join(', ') || '–'],
    ['team_chat', channelFact(channels.team_chat.webhook_url, channels.team_chat.status)],
    ['community_chat', channelFact(channels.community_chat.webhook_url, channels.community_chat.status)],
    ['email', channelFact(channels.email.addresses.join(', ') || null, channels.email.status)],
    ['webhook', channelFact(channels.webhook.webhook_url, channels.webhook.status)],
    ['quiet hours', quiet_hours.enabled ? `${start} to ${end} ${timezone}, except ${floor} and above` : 'off'],
    ['digest', digest.enabled ? `more than ${digest.more_than} held alerts` : 'off'],
  ];
  return lines;
}

function channelFact(receiver: string | null, { state, problem }: ChannelStatus): string {
  const named = receiver === null ? state : `${state}, ${receiver}`;
  return problem === null ? named : `${named}. ${problem}`;
}
