import { expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Span } from '../../core/span.ts';
import type { ProgramLanguage } from '../../core/trace.ts';
import { programLanguage } from './program-language.ts';

it.each<[string, Partial<Span>, ProgramLanguage | null]>([
  ['the SDK of Python', { resource: { 'telemetry.sdk.language': 'python' } }, 'python'],
  ['the SDK of Node.js', { resource: { 'telemetry.sdk.language': 'nodejs' } }, 'javascript'],
  ['another SDK', { resource: { 'telemetry.sdk.language': 'go' } }, null],
  [
    'a package of npm',
    { scope: { name: '@arizeai/openinference-instrumentation-langchain', version: '' } },
    'javascript',
  ],
  ['a module of Python', { scope: { name: 'openinference.instrumentation.langchain', version: '' } }, 'python'],
  ['a library without resource', { attributes: { 'misstep.sdk.language': 'nodejs' } }, 'javascript'],
  ['nothing', {}, null],
])('%s', (_, fields, expected) => expect(programLanguage([makeSpan(fields)])).toBe(expected));
