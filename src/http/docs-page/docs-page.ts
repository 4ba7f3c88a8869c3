import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import { type DescribedOperation, exampleHtml, operationHtml, statusId, statusText } from './docs-operation.ts';
import { memberTable, shapeText } from './docs-schema.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { type Html, html, Html as Markup, prose } from './html.ts';

export interface DocsPage {
  text: string;
  /** Value of `Content-Security-Policy`: allows only this style and this script. */
  policy: string;
}

/** The API description as one self-contained page that is readable without its script. */
export function toDocsPage(description: JsonObject): DocsPage {
  const schemas = (description.components as { schemas: Record<string, JsonObject> }).schemas;
  const groups = [...Map.groupBy(operationsOf(description), ({ tag }) => tag)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Misstep: the HTTP API</title>
<link rel="icon" href="data:,">
<style>${new Markup(DOCS_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the operations</a>
${navigation(groups, Object.keys(schemas))}
<main id="main">
${introduction((description.info as { description: string }).description)}
${errorTable(groups.flatMap(([, some]) => some))}
${groups.map(([tag, some]) => html`<section aria-labelledby="tag-${tag}"><h2 id="tag-${tag}">${tag}</h2>${some.map((one) => operationHtml(one, schemas))}</section>`)}
<section aria-labelledby="shapes"><h2 id="shapes">Schemas</h2>${Object.entries(schemas).map(([name, schema]) => shapeHtml(name, schema, schemas))}</section>
</main>
<script>${new Markup(DOCS_SCRIPT)}</script>
</body>
</html>
`;
  return { text: page.text, policy: POLICY };
}

function navigation(groups: [string, DescribedOperation[]][], shapes: string[]): Html {
  return html`<nav aria-label="Operations">
<div id="search" hidden><label for="words">Search</label> <input id="words" type="search" autocomplete="off" placeholder="word, path or method"> <p id="found" role="status"></p></div>
${groups.map(([tag, some]) => html`<section><h2><a href="#tag-${tag}">${tag}</a></h2><ul>${some.map(({ id, method, path }) => html`<li><a href="#${id}" title="${path}"><span class="method ${method.toLowerCase()}">${method}</span> ${shortPath(path)}</a></li>`)}</ul></section>`)}
<section><h2><a href="#shapes">Schemas</a></h2><ul>${shapes.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul></section>
</nav>`;
}

function shortPath(path: string): string {
  return path.replace(/^\/api\/v1(\/tenants\/\{tenant_id\}(?=\/))?/, '');
}

function introduction(about: string): Html {
  return html`<h1>Misstep: the HTTP API</h1>
<p>${about} The same as a document: <a href="/openapi.json">openapi.json</a>; as a typed client: <a href="/misstep-client.ts">misstep-client.ts</a>.</p>
<p>A tenant’s credential is an API key, sent as <code>X-SVC-API-Key</code> or as <code>Authorization: Bearer</code>, or an access token of <a href="#tokens.create"><code>/auth/token</code></a>, sent as the latter. The commands below take addresses and credentials from the shell:</p>
<pre tabindex="0"><code>export MISSTEP_URL=<span id="origin">http://127.0.0.1:4319</span>
export MISSTEP_API_KEY=mst_…
export MISSTEP_TENANT_ID=ten_…</code></pre>`;
}

/** Every error that an operation names, once. */
function errorTable(operations: DescribedOperation[]): Html {
  const errors = new Map(
    operations
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([, { content = {} }]) => 'application/problem+json' in content),
  );
  const rows = [...errors]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([status, { description }]) =>
        html`<tr id="${statusId(status)}"><th scope="row">${statusText(status)}</th><td>${prose(description)}</td></tr>`,
    );
  return html`<h2 id="errors">Errors</h2>
<p>An error is a <a href="#Problem">Problem</a> as <code>application/problem+json</code>; its <code>code</code> says why.</p>
<div class="wide"><table><caption>What each status means</caption><thead><tr><th scope="col">Status</th><th scope="col">Why: code</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function shapeHtml(name: string, schema: JsonObject, schemas: Record<string, JsonObject>): Html {
  const members = memberTable(schema, `Members of ${name}`);
  const described = typeof schema.description === 'string' ? html`<p>${prose(schema.description)}</p>` : null;
  return html`<article id="${name}"><h3>${name}</h3>${described}${
    members === null
      ? html`<p>${shapeText(schema)}</p>`
      : html`<div class="wide">${members}</div>
${exampleHtml('Example', exampleOfSchema(schema, schemas))}`
  }</article>
`;
}

function operationsOf(description: JsonObject): DescribedOperation[] {
  const components = description.components as Record<string, Record<string, JsonObject>>;
  const resolve = (value: JsonObject): JsonObject => {
    const [group, name] = typeof value.$ref === 'string' ? value.$ref.split('/').slice(-2) : [];
    return group === undefined || name === undefined ? value : components[group]![name]!;
  };
  return Object.entries(description.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => toDescribed(method, path, described, resolve)),
  );
}

function toDescribed(
  method: string,
  path: string,
  described: JsonObject,
  resolve: (value: JsonObject) => JsonObject,
): DescribedOperation {
  const responses = Object.entries(described.responses as Record<string, JsonObject>);
  return {
    id: described.operationId as string,
    method: method.toUpperCase(),
    path,
    summary: described.summary as string,
    tag: (described.tags as string[])[0]!,
    ...accessOf(described),
    parameters: ((described.parameters ?? []) as JsonObject[]).map(
      resolve,
    ) as unknown as DescribedOperation['parameters'],
    body: (described.requestBody ?? null) as unknown as DescribedOperation['body'],
    responses: Object.fromEntries(
      responses.map(([status, response]) => [status, resolve(response)]),
    ) as unknown as DescribedOperation['responses'],
  };
}

function accessOf(described: JsonObject): Pick<DescribedOperation, 'access' | 'accessText'> {
  const names = (described.security as JsonObject[]).flatMap((one) => Object.keys(one));
  if (names.includes('apiKey'))
    return { access: 'tenant', accessText: `a tenant’s credential with scope \`${described['x-scope']}\`` };
  if (names.includes('cookie')) return { access: 'tenant', accessText: 'any credential' };
  if (!names.includes('operator')) return { access: 'anyone', accessText: 'no credential needed' };
  const isOpen = (described.security as JsonObject[]).length > 1;
  return {
    access: 'operator',
    accessText: isOpen ? 'the operator’s credential, unless registration is open' : 'the operator’s credential',
  };
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(DOCS_STYLE)}`,
  `script-src ${sourceOf(DOCS_SCRIPT)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
