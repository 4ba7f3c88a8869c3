import { describe, expect, it } from 'vitest';
import { DETECTORS } from '../registry.ts';
import { PROMPT_RULES } from './prompt-rules.ts';
import { TOOL_NOTES } from './tool-notes.ts';

const KINDS = DETECTORS.flatMap(({ detector }) =>
  Object.keys(detector.subtypes).map((subtype) => `${detector.type}/${subtype}`),
);
const NAMES = { tool: 'search_web', what: 'search_web' };

describe('rules for prompts', () => {
  it('every subtype has a rule or a decision against one, and no others exist', () => {
    expect(Object.keys(PROMPT_RULES).sort()).toEqual([...KINDS].sort());
  });

  it.each(KINDS.filter((kind) => PROMPT_RULES[kind] !== null))('that of %s is one line of whole sentences', (kind) => {
    const rule = PROMPT_RULES[kind]!(NAMES);
    expect(rule).toMatch(/^[A-Z][^\n]{20,240}\.$/);
    expect(PROMPT_RULES[kind]!({ tool: null, what: 'clerk' })).not.toMatch(/null|undefined|search_web/);
  });
});

describe('notes for tools', () => {
  it.each(Object.entries(TOOL_NOTES))('that of %s is one line for a kind that there is', (kind, note) => {
    expect(KINDS).toContain(kind);
    expect(note).toMatch(/^[A-Z][^\n]{15,160}\.$/);
  });
});
