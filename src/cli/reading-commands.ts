import type { Command } from 'commander';

/**
 * Read-only commands, by their words. They create no data folder, no database and no tenant. A test checks
 * that every command is either in this list or known to write.
 */
export const READING_COMMANDS: ReadonlySet<string> = new Set([
  'agents list',
  'agents show',
  'alerts list',
  'alerts preferences',
  'analytics cost',
  'analytics loops',
  'analytics quality',
  'analytics series',
  'analyze',
  'audit',
  'calibration show',
  'check cost',
  'check hallucination',
  'check injection',
  'check overflow',
  'conversations list',
  'conversations show',
  'detections fixes',
  'detections list',
  'detections show',
  'detectors list',
  'detectors show',
  'evaluate',
  'export',
  'feedback list',
  'feedback recommend',
  'feedback stats',
  'groups list',
  'groups show',
  'groups workflows',
  'heal history',
  'heal list',
  'heal show',
  'hooks status',
  'integrations list',
  'integrations status',
  'issues list',
  'issues show',
  'judge show',
  'keys list',
  'licenses',
  'mcp',
  'migrate status',
  'overview',
  'sessions list',
  'sessions show',
  'sessions week',
  'tenants list',
  'tenants show',
  'thresholds preview',
  'thresholds recommend',
  'thresholds show',
  'traces facets',
  'traces find',
  'traces graph',
  'traces list',
  'traces show',
]);

/** The words of a command without the program's name, such as `traces list`. */
export function commandWords(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) words.unshift(at.name());
  return words.join(' ');
}
