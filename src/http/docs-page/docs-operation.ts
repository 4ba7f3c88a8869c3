import type { Json, JsonObject } from '../../core/json.ts';
import { type CurlRequest, curlCommand } from './curl-command.ts';
import { memberRow, memberTable, shapeText } from './docs-schema.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { type Html, html, prose } from './html.ts';

/** One operation of the API description, with `$ref`s to parameters and responses resolved. */
export interface DescribedOperation {
  id: string;
  /** Upper case. */
  method: string;
  path: string;
  summary: string;
  tag: string;
  access: CurlRequest['access'];
  accessText: string;
  parameters: { name: string; in: string; required: boolean; description?: string; schema: JsonObject }[];
  body: { description?: string; required: boolean; content: Record<string, { schema?: JsonObject }> } | null;
  responses: Record<string, { description: string; content?: Record<string, { schema?: JsonObject }> }>;
}

/** @param schemas named shapes */
export function operationHtml(operation: DescribedOperation, schemas: Record<string, JsonObject>): Html {
  const { id, method, path, summary, accessText } = operation;
  return html`<article id="${id}" aria-labelledby="title-${id}">
<h3 id="title-${id}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3>
<p>${prose(summary)}</p>
<p class="access"><code>${id}</code> · ${prose(accessText)}</p>
${parameterTable(operation)}
${bodyHtml(operation, schemas)}
<pre class="curl" tabindex="0" aria-label="As a command"><code>${curlOf(operation, schemas)}</code></pre>
${responseTable(operation)}
${responseExample(operation, schemas)}
</article>
`;
}

function parameterTable({ parameters }: DescribedOperation): Html | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map(({ name, in: place, required, description, schema }) =>
    memberRow(
      name,
      { ...schema, description: [description ?? '', place === 'query' ? '' : `(${place})`].join(' ').trim() },
      required,
    ),
  );
  return html`<div class="wide"><table><caption>Parameters</caption><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function bodyHtml({ body }: DescribedOperation, schemas: Record<string, JsonObject>): Html | null {
  if (body === null) return null;
  const types = Object.entries(body.content).map(([type, { schema }]) => {
    const isNamed = schema?.$ref !== undefined;
    return html`<p>Body <code>${type}</code>${isNamed ? html`: ${shapeText(schema!)}` : null}</p>
${schema && !isNamed ? html`<div class="wide">${memberTable(schema, 'Members of the body')}</div>` : null}`;
  });
  const sample = bodySample(body, schemas);
  return html`${body.description === undefined ? null : html`<p>${prose(body.description)}</p>`}${types}
${sample === undefined ? null : exampleHtml('Example of the body', sample)}`;
}

function bodySample(body: DescribedOperation['body'], schemas: Record<string, JsonObject>): Json | undefined {
  const schema = body?.content['application/json']?.schema;
  return schema && exampleOfSchema(schema, schemas);
}

function responseTable({ responses }: DescribedOperation): Html {
  const successes = Object.entries(responses).filter(([, response]) => !isProblem(response));
  const rows = successes.map(([status, { description, content = {} }]) => {
    const shapes = Object.entries(content).map(([type, { schema }]) => {
      const shape = schema && !type.startsWith('text/') ? html` ${shapeText(schema)}` : null;
      return html`<code>${type}</code>${shape} `;
    });
    return html`<tr><th scope="row">${statusText(status)}</th><td>${shapes}</td><td>${prose(description)}</td></tr>`;
  });
  return html`<div class="wide"><table><caption>Responses</caption><thead><tr><th scope="col">Status</th><th scope="col">Body</th><th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></div>
${errorLinks(responses)}`;
}

function isProblem({ content = {} }: DescribedOperation['responses'][string]): boolean {
  return 'application/problem+json' in content;
}

/** Their meaning is explained once, at the top of the page. */
function errorLinks(responses: DescribedOperation['responses']): Html | null {
  const errors = Object.entries(responses).filter(([, response]) => isProblem(response));
  if (errors.length === 0) return null;
  const links = errors.map(
    ([status, { description }]) =>
      html` <a href="#${statusId(status)}" title="${description}">${statusText(status)}</a>`,
  );
  return html`<p>Errors:${links}</p>`;
}

export function statusText(status: string): string {
  return status === 'default' ? 'others' : status;
}

export function statusId(status: string): string {
  return `status-${statusText(status)}`;
}

/** Members and an example of a response without a name; a named shape has them in its section. */
function responseExample({ responses }: DescribedOperation, schemas: Record<string, JsonObject>): Html | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema = success?.content?.['application/json']?.schema;
  if (schema === undefined || schema.$ref !== undefined) return null;
  return html`<div class="wide">${memberTable(schema, 'Members of the response')}</div>
${exampleHtml('Example of the response', exampleOfSchema(schema, schemas))}`;
}

export function exampleHtml(title: string, value: Json): Html {
  return html`<details><summary>${title}</summary><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

function curlOf(operation: DescribedOperation, schemas: Record<string, JsonObject>): string {
  const { method, path, access, body, parameters } = operation;
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const query = needed.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOfSchema(schema, schemas, name)))}`,
  );
  const curlRequest: CurlRequest = { method, path: query.length === 0 ? path : `${path}?${query.join('&')}`, access };
  const bodyType = body === null ? undefined : Object.keys(body.content)[0];
  if (bodyType !== undefined) curlRequest.bodyType = bodyType;
  const sample = bodySample(body, schemas);
  if (sample !== undefined) curlRequest.body = sample;
  return curlCommand(curlRequest);
}
