import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAlertConfig } from './alert-config.ts';

const SMTP = {
  MISSTEP_SMTP_URL: 'smtp://user:secret@mail.example.com:587',
  MISSTEP_SMTP_FROM: 'Misstep <m@example.com>',
};

describe('mail settings', () => {
  it('are none where none are given', () => {
    expect(toAlertConfig({}, undefined)).toEqual({ smtp: null, allowPrivateWebhooks: [] });
  });

  it('come from the environment, the URL also from a file', () => {
    const smtp = { url: SMTP.MISSTEP_SMTP_URL, from: SMTP.MISSTEP_SMTP_FROM };
    expect(toAlertConfig(SMTP, undefined).smtp).toEqual(smtp);
    const folder = mkdtempSync(join(tmpdir(), 'misstep-smtp-'));
    writeFileSync(join(folder, 'url'), `${SMTP.MISSTEP_SMTP_URL}\n`);
    const env = { MISSTEP_SMTP_URL_FILE: join(folder, 'url'), MISSTEP_SMTP_FROM: SMTP.MISSTEP_SMTP_FROM };
    expect(toAlertConfig(env, undefined).smtp).toEqual(smtp);
    rmSync(folder, { recursive: true });
  });

  it.each(['smtp://mail.example.com', 'smtps://u:p%25@mail.example.com:465/?require_tls=true'])(
    '%s is accepted',
    (url) => {
      expect(toAlertConfig({ ...SMTP, MISSTEP_SMTP_URL: url }, undefined).smtp?.url).toBe(url);
    },
  );

  it.each([
    ['smtp://u:secret@mail.example.com?pool=true', 'takes no query'],
    ['smtp://u:secret@mail.example.com?', 'takes no query'],
    ['smtp://u:secret@mail.example.com?require_tls=true&pool=true', 'takes no query'],
    ['smtp://u:secret@mail.example.com?require_tls=yes', 'takes no query'],
    ['smtp://u:secret@mail.example.com#a', 'takes no fragment'],
    ['smtp://u:secret@mail.example.com?require_tls=true#', 'takes no fragment'],
    ['smtp://u:secret%@mail.example.com', 'a % that is not encoded'],
    ['smtp:mail.example.com', 'takes a URL such as'],
  ])('%s is refused with the name of the variable', (url, message) => {
    const read = () => toAlertConfig({ ...SMTP, MISSTEP_SMTP_URL: url }, undefined);
    expect(read).toThrow(message);
    expect(read).toThrow(/^MISSTEP_SMTP_URL/);
    expect(read).not.toThrow(/secret/);
  });

  it.each([
    ['another protocol', { ...SMTP, MISSTEP_SMTP_URL: 'https://user:secret@mail.example.com' }],
    ['no URL', { ...SMTP, MISSTEP_SMTP_URL: 'mail.example.com:secret' }],
    ['no sender', { MISSTEP_SMTP_URL: SMTP.MISSTEP_SMTP_URL }],
    ['a sender that is none', { ...SMTP, MISSTEP_SMTP_FROM: 'Misstep' }],
  ])('with %s are refused, without a word of the password', (_name, env) => {
    expect(() => toAlertConfig(env, undefined)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => toAlertConfig(env, undefined)).not.toThrow(/secret/);
  });
});

describe('addresses that webhooks may lead to', () => {
  it('come from the flag, else from the environment', () => {
    const env = { MISSTEP_ALLOW_PRIVATE_WEBHOOKS: '10.0.0.0/8, ::1' };
    expect(toAlertConfig(env, undefined).allowPrivateWebhooks).toEqual(['10.0.0.0/8', '::1']);
    expect(toAlertConfig(env, ['192.168.1.7']).allowPrivateWebhooks).toEqual(['192.168.1.7']);
  });

  it('must be addresses', () => {
    expect(() => toAlertConfig({}, ['office'])).toThrow(
      '--allow-private-webhooks: office is not an IP address or CIDR block.',
    );
  });
});
