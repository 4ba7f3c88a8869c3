import { describe, expect, it } from 'vitest';
import type { IntegrationKind } from './integration-kind.ts';
import { changeBody, fieldErrors, newBody } from './integration-values.ts';

const KIND: IntegrationKind = {
  platform: 'flowplatform',
  kind: 'instance',
  title: 'n8n instance',
  url: 'required',
  details: [{ name: 'sync_every_minutes', label: 'Minutes', numberRange: [1, 10_080] }],
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
  it('can be sent when every required field and the required parent have a value', () => {
    expect(fieldErrors(KIND, { name: 'home', url: 'http://n8n' })).toEqual({});
    expect(fieldErrors(KIND, { name: 'home', url: ' ' })).toEqual({ url: 'This field is required.' });
    expect(fieldErrors(KIND, {})).toEqual({ name: 'This field is required.', url: 'This field is required.' });
    expect(fieldErrors(APP, { name: 'bot' })).toEqual({ instance_id: 'Choose one.' });
    expect(fieldErrors(APP, { name: 'bot', instance_id: 'ins_1' })).toEqual({});
  });

  it.each(['n8n.example.com', 'ftp://n8n.example.com', 'https://', 'javascript:alert(1)'])(
    'reject the URL %s',
    (url) => {
      const error = 'Enter an address that begins with http:// or https://.';
      expect(fieldErrors(KIND, { name: 'home', url })).toEqual({ url: error });
    },
  );

  it.each(['often', '0', '10081', '1.5', '-1'])('reject the interval %s', (sync_every_minutes) => {
    const error = 'Enter a whole number from 1 to 10,080.';
    expect(fieldErrors(KIND, { name: 'home', url: 'http://n8n', sync_every_minutes })).toEqual({
      sync_every_minutes: error,
    });
  });

  it.each(['1', ' 15 ', '10080', ''])('accept the interval "%s"', (sync_every_minutes) =>
    expect(fieldErrors(KIND, { name: 'home', url: 'http://n8n', sync_every_minutes })).toEqual({}),
  );

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
