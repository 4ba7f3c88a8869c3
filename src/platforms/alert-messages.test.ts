import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discordProblem, slackProblem } from '../../test/support/chat-limits.ts';
import type { AlertContent, AlertGroup, AlertItem } from '../core/alert.ts';
import { SEVERITIES } from '../core/severity.ts';
import { WebAddress } from '../core/web-address.ts';
import { renderDiscord } from './discord/render-discord.ts';
import { renderSlack } from './slack/render-slack.ts';
import { renderMail } from './smtp/render-mail.ts';
import { renderWebhook } from './webhook/render-webhook.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const pages = new WebAddress('https://traces.example/misstep');
const item: AlertItem = {
  detectionId: 'det_1',
  traceId: 'abc123',
  issueId: 'iss_1',
  type: 'loop',
  subtype: 'exact',
  severity: 'warning',
  confidence: 0.82,
  isCalibrated: true,
  agent: 'planner',
  title: 'The same call again and again',
  explanation: 'The planner asked for the same thing five times.',
  suggestedAction: 'Stop it after the second time.',
  detectedAt: AT,
  url: pages.trace({ traceId: 'abc123', spanId: 's1', detectionId: 'det_1' }),
};
const alert = (overrides: Partial<AlertItem> = {}): AlertContent => ({
  kind: 'alert',
  item: { ...item, ...overrides },
});
const digest = (groups: AlertGroup[], groupTotal = groups.length): AlertContent => ({
  kind: 'digest',
  groups,
  groupTotal,
  total: groups.reduce((sum, { count }) => sum + count, 0),
  from: AT - 3_600_000,
  until: AT,
});
const followUp: AlertContent = { kind: 'follow_up', item, repeats: 499, from: AT, until: AT + 600_000 };

/** The visible texts of a message, one per channel. */
function shown(content: AlertContent): Record<'team' | 'community' | 'mail', string> {
  const { subject, text } = renderMail(content);
  return {
    team: JSON.stringify(renderSlack(content)),
    community: JSON.stringify(renderDiscord(content)),
    mail: `${subject}\n${text}`,
  };
}

describe('every channel', () => {
  it.each(['team', 'community', 'mail'] as const)(
    'shows the failure, its confidence, place and time: %s',
    (channel) => {
      const text = shown(alert())[channel];
      for (const part of ['loop/exact', '82 %', 'abc123', '2026-01-15 12:00:00 UTC', item.title, item.suggestedAction])
        expect(text).toContain(part);
    },
  );

  it.each(['team', 'community', 'mail'] as const)('marks a confidence that is not calibrated: %s', (channel) => {
    expect(shown(alert({ isCalibrated: false }))[channel]).toContain('not calibrated');
  });

  it.each(['team', 'community', 'mail'] as const)('calls a fact a fact: %s', (channel) => {
    const text = shown(alert({ confidence: 0.95, isCalibrated: false, isFact: true }))[channel];
    expect(text).toContain('fact');
    expect(text).not.toMatch(/95 %|not calibrated/);
  });

  it.each(['team', 'community', 'mail'] as const)('counts repeats: %s', (channel) => {
    expect(shown(followUp)[channel]).toMatch(/Warning, 499 more: .*Seen 499 more times within 10 minutes/s);
  });

  it.each(['team', 'community', 'mail'] as const)('summarizes quiet hours: %s', (channel) => {
    const text = shown(digest([{ item, count: 40 }], 3))[channel];
    expect(text).toMatch(/40 alerts from quiet hours.*× 40/s);
    expect(text).toMatch(/2 more kinds/);
  });
});

describe('the URL of the trace and span', () => {
  const URL_TEXT = item.url as string;
  const IN_HTML = URL_TEXT.replaceAll('&', '&amp;');

  it.each<[string, AlertContent]>([
    ['alert', alert()],
    ['follow-up', followUp],
    ['digest', digest([{ item, count: 40 }])],
  ])('is in every channel of a %s', (_kind, content) => {
    const { text, html } = renderMail(content);
    expect(JSON.stringify(renderSlack(content))).toContain(`<${IN_HTML}|Open in Misstep>`);
    expect(JSON.stringify(renderDiscord(content))).toContain(URL_TEXT);
    expect(text).toContain(`Open in Misstep: ${URL_TEXT}\n`);
    expect(html).toContain(`<a href="${IN_HTML}">Open in Misstep</a>`);
    expect(JSON.stringify(renderWebhook(content, AT))).toContain(URL_TEXT);
  });

  it('is omitted from chats and mails if it is too long, or if an earlier version stored the alert', () => {
    for (const url of [null, `https://traces.example/ui/traces/${'%3C'.repeat(128)}`]) {
      for (const content of [alert({ url }), digest([{ item: { ...item, url }, count: 1 }])]) {
        const texts = Object.values(shown(content));
        expect(texts.filter((text) => text.includes('traces.example'))).toEqual([]);
        expect(texts[0]).toContain('abc123');
      }
    }
  });
});

describe('untrusted text', () => {
  const hostile = (text: string) => {
    const url = pages.trace({ traceId: text, spanId: text, detectionId: 'det_1' });
    return alert({ title: text, explanation: text, suggestedAction: text, agent: text, traceId: text, url });
  };

  it.each([
    ['<!channel>', /<!channel/],
    ['<!here|here>', /<!here/],
    ['<@U123>', /<@U/],
    ['<https://evil.example|Log in>', /<https:(?!\/\/traces\.example)|https:\/\/evil/],
    ['&lt;!channel&gt;', /[^p;]&lt;!channel&gt;/],
    ['https://evil.example', /https:\/\/evil/],
  ])('%s is not rendered as markup in Slack', (text, markup) => {
    const message = renderSlack(hostile(text));
    expect(JSON.stringify(message)).not.toMatch(markup);
    expect(slackProblem(JSON.parse(JSON.stringify(message)))).toBeNull();
  });

  it('is sent verbatim to Slack: no links, channels or names are created', () => {
    const found: unknown[] = [];
    JSON.stringify(renderSlack(hostile('x')), (_key, value) => {
      if (value?.type === 'mrkdwn') found.push(value.verbatim);
      return value;
    });
    expect(found.length).toBeGreaterThan(5);
    expect(found.every((isVerbatim) => isVerbatim === true)).toBe(true);
  });

  it.each([
    ['@everyone', /@everyone/],
    ['<@123> <@&456> <#789>', /[^\\]<[@#]/],
    ['[x](javascript:alert(1))', /[^\\]\[x|[^\\]\]\(/],
    ['[x](https://evil.example)', /\]\(https|https:\/\/evil/],
    ['**bold** `code` ~~gone~~ ||secret||', /[^\\][*`~|]\w/],
    ['# Heading', /"# /],
    ['discord.gg/x https://discord.gg/x', /https:\/\/discord/],
  ])('%s is not rendered as markup in Discord', (text, markup) => {
    const [embed] = renderDiscord(hostile(text)).embeds;
    expect(JSON.stringify([embed?.title, embed?.description, embed?.fields]).replaceAll('\\\\', '\\')).not.toMatch(
      markup,
    );
  });

  it('never mentions users in Discord', () => {
    for (const content of [
      hostile('@everyone'),
      followUp,
      digest([{ item, count: 1 }]),
      { kind: 'test', at: AT } as const,
    ])
      expect(renderDiscord(content).allowed_mentions).toEqual({ parse: [] });
  });

  it.each([
    'x\r\nBcc: victim@example.com',
    'x\nSubject: other',
    'x\u2028Bcc: victim@example.com',
    '\r\n\r\n<script>',
    'x\u0000y',
  ])('%j adds no mail header', (text) => {
    const { subject } = renderMail(hostile(text));
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(subject.startsWith('[Misstep] Warning: ')).toBe(true);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><a href="https://evil.example">',
    "' onclick='x",
  ])('%s is not rendered as markup in a mail', (text) => {
    const { html } = renderMail(hostile(text));
    expect(html).not.toMatch(
      /<script|<img|<a (?!href="https:\/\/traces\.example\/misstep\/ui\/traces\/[\w%.&;=?+-]+">)|https:\/\/evil|onclick='x/,
    );
  });

  it.each(['team', 'community', 'mail'] as const)('has no direction marks: %s', (channel) => {
    expect(shown(hostile('invoice\u202efdp.exe \u2066x\u2069 \u200f'))[channel]).not.toMatch(
      /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it('is unchanged in a webhook, where it is data', () => {
    const body = renderWebhook(hostile('<!channel> @everyone'), AT);
    expect(body).toMatchObject({ type: 'alert.detection', data: { title: '<!channel> @everyone' } });
  });
});

describe('published limits', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12_000 });
  const items = fc.record({
    title: text,
    explanation: text,
    suggestedAction: text,
    agent: fc.option(text),
    traceId: text,
    severity: fc.constantFrom(...SEVERITIES),
    url: fc.option(fc.webUrl({ withQueryParameters: true })),
  });
  const contents = fc.oneof(
    items.map((overrides) => alert(overrides)),
    items.map((overrides): AlertContent => ({ ...followUp, item: { ...item, ...overrides } }) as AlertContent),
    fc.array(fc.tuple(items, fc.integer({ min: 1, max: 9_999 })), { minLength: 1, maxLength: 50 }).map((groups) =>
      digest(
        groups.map(([overrides, count]) => ({ item: { ...item, ...overrides }, count })),
        1_000,
      ),
    ),
  );

  it.each([
    ['empty', ''],
    ['stars', '*'.repeat(20_000)],
    ['tags', '<&>'.repeat(9_000)],
    ['emoji', '👩‍💻'.repeat(9_000)],
  ])('hold for %s', (_name, long) => {
    const overrides = { title: long, explanation: long, suggestedAction: long, agent: long, traceId: long };
    const groups = Array.from({ length: 50 }, () => ({ item: { ...item, ...overrides }, count: 12_345 }));
    for (const content of [alert(overrides), { ...followUp, item: { ...item, ...overrides } }, digest(groups, 999)]) {
      expect(slackProblem(JSON.parse(JSON.stringify(renderSlack(content))))).toBeNull();
      expect(discordProblem(JSON.parse(JSON.stringify(renderDiscord(content))))).toBeNull();
      expect(renderMail(content).subject.length).toBeLessThanOrEqual(150);
    }
  });

  it('hold for any text of a trace', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expect(slackProblem(JSON.parse(JSON.stringify(renderSlack(content))))).toBeNull();
        expect(discordProblem(JSON.parse(JSON.stringify(renderDiscord(content))))).toBeNull();
      }),
      { seed: 11, numRuns: 60 },
    );
  });
});
