import { describe, expect, it } from 'vitest';
import type { IntegrationKind } from './integration-kind.ts';
import { changeBody, isComplete, newBody } from './integration-values.ts';

const KIND: IntegrationKind = {
  platform: 'flowplatform',
  kind: 'instance',
  title: 'n8n instance',
  url: 'required',
  details: [{ name: 'sync_every_minutes', label: 'Minutes', isNumber: true }],
  credentials: [{ name: 'api_key', label: 'API key' }],
  isCalled: true,
  register: async () => ({}),
};
const APP: IntegrationKind = {
  ...KIND,
  url: 'none',
  parent: { kind: 'instance', member: 'instance_id', label: 'Instance', isRequired: true },
};

describe('integration values', () => {
  it('are complete when every required field and the required parent have a value', () => {
    expect(isComplete(KIND, { name: 'home', url: 'http://n8n' })).toBe(true);
    expect(isComplete(KIND, { name: 'home', url: ' ' })).toBe(false);
    expect(isComplete(APP, { name: 'bot' })).toBe(false);
    expect(isComplete(APP, { name: 'bot', instance_id: 'ins_1' })).toBe(true);
  });

  it('become a request body without empty fields', () => {
    const values = { name: ' home ', url: 'http://n8n', sync_every_minutes: '15', api_key: '' };
    expect(newBody(KIND, values)).toEqual({ name: 'home', url: 'http://n8n', sync_every_minutes: 15 });
    expect(newBody(APP, { name: 'bot', instance_id: 'ins_1', url: 'unused' })).toEqual({
      name: 'bot',
      instance_id: 'ins_1',
    });
  });

  it('keep an invalid number as text, so that the error of the server names the field', () => {
    expect(newBody(KIND, { name: 'a', url: 'b', sync_every_minutes: 'often' }).sync_every_minutes).toBe('often');
  });

  it('become a change with only the changed fields', () => {
    const saved = { name: 'home', url: 'http://n8n', sync_every_minutes: '15' };
    expect(changeBody(KIND, saved, saved, new Set())).toEqual({});
    const values = { name: 'work', url: 'http://n8n', sync_every_minutes: '', api_key: 'secret' };
    expect(changeBody(KIND, saved, values, new Set())).toEqual({
      name: 'work',
      sync_every_minutes: null,
      api_key: 'secret',
    });
  });

  it('delete a credential only on request', () => {
    const values = { name: 'home', api_key: '' };
    expect(changeBody(KIND, values, values, new Set())).toEqual({});
    expect(changeBody(KIND, values, values, new Set(['api_key']))).toEqual({ api_key: null });
  });
});
