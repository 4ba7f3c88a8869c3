import { describe, expect, it } from 'vitest';
import type { SubtypeInfo } from '../_kit/manifest.ts';
import { DETECTORS } from '../registry.ts';

const SUBTYPES = DETECTORS.flatMap(({ detector }) =>
  Object.entries(detector.subtypes as Record<string, SubtypeInfo>).map(
    ([subtype, info]) => [`${detector.type}/${subtype}`, info] as const,
  ),
);
const NAMES = { tool: 'search_web', what: 'search_web' };

describe('rules for prompts', () => {
  const rules = SUBTYPES.flatMap(([kind, { promptRule }]) => (promptRule ? [[kind, promptRule] as const] : []));

  it.each(rules)('that of %s is one line of whole sentences', (_kind, rule) => {
    expect(rule(NAMES)).toMatch(/^[A-Z][^\n]{20,240}\.$/);
    expect(rule({ tool: null, what: 'clerk' })).not.toMatch(/null|undefined|search_web/);
  });
});

describe('notes for tools', () => {
  const notes = SUBTYPES.flatMap(([kind, { toolNote }]) => (toolNote === undefined ? [] : [[kind, toolNote] as const]));

  it.each(notes)('that of %s is one line', (_kind, note) => {
    expect(note).toMatch(/^[A-Z][^\n]{15,160}\.$/);
  });
});
