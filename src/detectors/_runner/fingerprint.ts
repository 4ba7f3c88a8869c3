import { hash } from 'node:crypto';

/** 16 hex digits over what stays the same if a fault recurs: type, subtype, agent and the key of the detection. */
export function fingerprintOf(type: string, subtype: string, agent: string | null, key: string): string {
  const identity = [type, subtype, agent === null ? '' : normaliseKey(agent), normaliseKey(key)].join('\n');
  return hash('sha256', identity, 'hex').slice(0, 16);
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const HEX_RUN = /\b(?:0x)?[0-9a-f]{8,}\b/g;
/** A run of digits with the separators of dates, times and decimals. */
const NUMBER = /\d[\d.,:/-]*/g;

/** The key without parts that change from run to run: UUIDs, hex ids, dates, numbers, case and spacing. */
export function normaliseKey(key: string): string {
  return key
    .toLowerCase()
    .replace(UUID, '#')
    .replace(HEX_RUN, (run) => (/\d/.test(run) ? '#' : run))
    .replace(NUMBER, '#')
    .replace(/\s+/g, ' ')
    .trim();
}
