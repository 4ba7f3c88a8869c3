import { expect, it } from 'vitest';
import { plainName } from './tool-names.ts';

it.each([
  ['read_file', 'read_file'],
  ['ReadFile', 'read_file'],
  ['readFile', 'read_file'],
  ['read-file', 'read_file'],
  ['mcp__desk__read_file', 'read_file'],
  ['mcp__desk__python_v2', 'python'],
  ['functions.read_file', 'read_file'],
  ['files/read', 'read'],
  ['python3', 'python'],
  ['ExecuteBash', 'execute_bash'],
  ['search_tool', 'search'],
  ['tool', 'tool'],
  ['v2', 'v2'],
  ['2', '2'],
  ['', ''],
  ['datei_schreiben', 'datei_schreiben'],
  ['検索', '検索'],
])('%s is %s', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
