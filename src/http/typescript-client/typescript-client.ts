import type { JsonObject } from '../../core/json.ts';
import { type ClientOperation, toClientOperation } from './client-operation.ts';
import { CLIENT_RUNTIME } from './client-runtime.ts';
import { docOf, typeOfSchema } from './type-of-schema.ts';

const HEAD = `// Generated from the API description; changes would be lost. It needs only \`fetch\`.

`;

/** A client in one TypeScript file: its types, and a method for every operation of the API description. */
export function toTypescriptClient(description: JsonObject): string {
  const { schemas, parameters } = description.components as Record<string, Record<string, JsonObject>>;
  const operations = operationsOf(description, parameters!);
  const types = [
    ...Object.entries(schemas!).map(([name, schema]) => typeText(name, schema)),
    ...operations.flatMap(typesOf),
  ];
  assertUnique([
    ...Object.keys(schemas!),
    ...operations.flatMap(({ typeName }) => [`${typeName}Input`, `${typeName}Output`]),
  ]);
  return [HEAD, CLIENT_RUNTIME, '\n', clientText(operations), '\n', types.join('\n')].join('');
}

function operationsOf(description: JsonObject, parameters: Record<string, JsonObject>): ClientOperation[] {
  return Object.entries(description.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => toClientOperation(method, path, described, parameters)),
  );
}

function typesOf({ typeName, inputType, outputType }: ClientOperation): string[] {
  return [`export type ${typeName}Input = ${inputType};\n`, `export type ${typeName}Output = ${outputType};\n`];
}

function typeText(name: string, schema: JsonObject): string {
  return `${docOf(schema.description, '')}export type ${name} = ${typeOfSchema(schema)};\n`;
}

function clientText(operations: ClientOperation[]): string {
  const groups = [...Map.groupBy(operations, ({ group }) => group)].sort(([one], [other]) => (one < other ? -1 : 1));
  const members = groups.map(([group, some]) => `    ${group}: {\n${some.map(methodText).join('\n')}\n    },`);
  return `/** Every operation of the server, by its noun and verb. Parameters of path and query are next to \`body\`. */
export function createClient(options: ClientOptions) {
  const call = createCall(options);
  return {
${members.join('\n')}
  };
}

export type Client = ReturnType<typeof createClient>;
`;
}

function methodText({ method, typeName, summary, route, scope, isInputOptional, call }: ClientOperation): string {
  const doc = docOf(`${summary}. ${route}${scope === null ? '' : ` (scope ${scope})`}`, '      ');
  const input = `input${isInputOptional ? '?' : ''}: ${typeName}Input`;
  return `${doc}      ${method}: (${input}, callOptions?: CallOptions) =>
        call(${call}, input, callOptions) as Promise<${typeName}Output>,`;
}

function assertUnique(names: string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`two types of the client would be named ${duplicate}`);
}
