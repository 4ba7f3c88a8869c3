import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../src/core/json.ts';
import type { DescribedRoute, Description } from './described-routes.ts';
import type { Received } from './http-app.ts';

/** Returns how a response violates the interface description; null if it conforms. */
export type CheckResponse = (route: DescribedRoute, answer: Received) => string | null;

/** @param description contains the components that `$ref` points to */
export function createResponseChecker(description: Description): CheckResponse {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const known = new Map<JsonObject, ValidateFunction>();
  const validatorOf = (schema: JsonObject): ValidateFunction => {
    const validate = known.get(schema) ?? ajv.compile({ ...schema, components: description.components });
    known.set(schema, validate);
    return validate;
  };

  return (route, answer) => {
    if (answer.status >= 500) return `${answer.status} ${answer.text}`;
    const response = route.responses[answer.status];
    if (!response) return `status ${answer.status} is not described: ${answer.text.slice(0, 300)}`;
    const contents = Object.entries((response.content ?? {}) as Record<string, { schema?: JsonObject }>);
    if (contents.length === 0) return null;
    const type = (answer.headers['content-type'] ?? '').split(';')[0]!;
    const content = contents.find(([name]) => name === type)?.[1];
    if (!content) return `content type ${type} of ${answer.status} is not described`;
    if (!content.schema) return null;
    const validate = validatorOf(content.schema);
    const isJson = type.endsWith('json') && type !== 'application/x-ndjson';
    return validate(isJson ? answer.json : answer.text)
      ? null
      : `${answer.status} breaks its schema: ${ajv.errorsText(validate.errors)}`;
  };
}
