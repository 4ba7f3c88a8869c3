import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes } from '../../core/span.ts';
import { readStepFacts } from './read-step-facts.ts';

test.each<[string, Attributes, object | undefined]>([
  [
    'before a call',
    { hook_event: 'PreToolUse', 'tool.name': 'edit', should_proceed: true },
    { event: 'PreToolUse', tool: 'edit', letsProceed: true },
  ],
  [
    'after a call',
    { hook_event: 'PostToolUse', 'tool.name': 'edit' },
    { event: 'PostToolUse', tool: 'edit', letsProceed: null },
  ],
  ['of a session', { 'hook.event_name': 'SessionStart' }, { event: 'SessionStart', tool: null, letsProceed: null }],
  ['any other span', { 'tool.name': 'edit' }, undefined],
])('a hook %s', (_, attributes, hook) => {
  expect(readStepFacts(makeSpan({ attributes })).hook).toEqual(hook);
});
