import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { operations } from '../../features/operations.ts';
import { toOpenApi } from '../openapi.ts';
import { curlCommand } from './curl-command.ts';
import { toDocsPage } from './docs-page.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { html, prose } from './html.ts';

const description = toOpenApi(operations);
const components = description.components as { schemas: Record<string, JsonObject> };
const described = Object.values(description.paths as Record<string, Record<string, JsonObject>>).flatMap((item) =>
  Object.values(item),
);
const { text } = toDocsPage(description);

describe('markup', () => {
  it('escapes its content', () => {
    expect(html`<b title="${'"\'>'}">${'<script>&'}</b>`.text).toBe(
      '<b title="&quot;&#39;&gt;">&lt;script&gt;&amp;</b>',
    );
  });

  it('keeps markup, joins lists and leaves null out', () => {
    expect(html`<p>${[html`<i>a</i>`, 'b', null, 1]}</p>`.text).toBe('<p><i>a</i>b1</p>');
  });

  it('shows text between backticks as code', () => {
    expect(prose('is `<x>` or not').text).toBe('is <code>&lt;x&gt;</code> or not');
  });
});

describe('the page', () => {
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);

  it('has a section for every operation and every shape', () => {
    const wanted = [...described.map(({ operationId }) => String(operationId)), ...Object.keys(components.schemas)];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has unique ids and no broken link', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1]!);
    expect(targets.length).toBeGreaterThan(200);
    expect([...new Set(targets)].filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('loads nothing from other hosts, and has no inline handler or style', () => {
    expect(text).not.toMatch(/ (src|style|on\w+)="/);
    expect([
      ...text.matchAll(/<(?:a|link) [^>]*href="(?!#|data:,|\/openapi\.json|\/misstep-client\.ts)[^"]*"/g),
    ]).toEqual([]);
  });

  it('shows markup of the description as text', () => {
    const evil = { ...description, info: { title: 'x', version: 'v1', description: '</p><script>alert(1)</script>' } };
    expect(toDocsPage(evil).text).not.toContain('<script>alert');
  });
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const errorsOf = (schema: JsonObject) => {
    const validate = ajv.compile({ ...schema, components });
    return validate(exampleOfSchema(schema, components.schemas)) ? null : ajv.errorsText(validate.errors);
  };
  const bodies = described.flatMap(({ operationId, requestBody }) => {
    const content = (requestBody as { content: Record<string, { schema?: JsonObject }> } | undefined)?.content;
    const schema = content?.['application/json']?.schema;
    return schema ? [[String(operationId), schema] as const] : [];
  });

  it.each(bodies)('of the body of %s fit its schema: patterns need `.meta({ examples })`', (_id, schema) =>
    expect(errorsOf(schema)).toBeNull(),
  );

  it.each(Object.entries(components.schemas))('of %s fit it', (_name, schema) => expect(errorsOf(schema)).toBeNull());

  it('that do not fit are detected', () => {
    expect(errorsOf({ type: 'string', pattern: '^[0-9]$' })).not.toBeNull();
  });
});

describe('commands', () => {
  it.each([
    [
      { method: 'GET', path: '/api/v1/tenants/{tenant_id}/traces/{trace_id}', access: 'tenant' },
      'curl "$MISSTEP_URL/api/v1/tenants/$MISSTEP_TENANT_ID/traces/$TRACE_ID" \\\n  -H "X-SVC-API-Key: $MISSTEP_API_KEY"',
    ],
    [
      { method: 'PUT', path: '/x', access: 'operator', bodyType: 'application/json', body: { a: "it's" } },
      `curl -X PUT "$MISSTEP_URL/x" \\\n  -H "Authorization: Bearer $MISSTEP_OPERATOR_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"a":"it'\\''s"}'`,
    ],
    [{ method: 'POST', path: '/x', access: 'anyone' }, 'curl -X POST "$MISSTEP_URL/x"'],
    [
      { method: 'POST', path: '/x', access: 'anyone', bodyType: 'multipart/form-data' },
      'curl "$MISSTEP_URL/x" \\\n  -F file=@FILE',
    ],
  ] as const)('%j', (request, line) => expect(curlCommand(request)).toBe(line));
});
