import { expect, it } from 'vitest';
import { baseAgent, roleOf } from './act-role.ts';

it.each([
  ['Orchestrator (-> WebSurfer)', 'llm', 'planner'],
  ['WebSurfer', 'llm', 'browser'],
  ['Computer_terminal', 'tool', 'executor'],
  ['Verification_Expert', 'llm', 'verifier'],
  ['PythonDebugging_Expert', 'llm', 'coder'],
  ['FileReader', 'llm', 'files'],
  ['Historian', 'llm', 'worker'],
  ['get_weather', 'tool', 'executor'],
  ['anyone', 'user', 'user'],
] as const)('%s (%s) is a %s', (name, kind, role) => expect(roleOf(name, kind)).toBe(role));

it('keeps the agent without the addressee', () => {
  expect(baseAgent('Orchestrator (thought)')).toBe('Orchestrator');
  expect(baseAgent('(odd)')).toBe('(odd)');
});
