import { clientSpec } from '../../functions/contract/client-spec.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { takesBody } from '../../shared/http/http-contract.ts';
import type { JsonSchema } from '../../shared/openapi/schemas.ts';
import type { OpenApiDocument, Operation } from '../../shared/openapi/specification.ts';
import { comment, propertyName, type Printer, property, typeName, typeOf } from './schema-types.ts';
import type { Sides } from './types.ts';

/** A pattern of a list of words separated by commas. */
const WORDS = /^\^ \*\(([\w|]+)\)\(/;

/** The type of a parameter: a list of words can be given as a list. */
function parameterType(name: string, schema: JsonSchema, isRequired: boolean, printer: Printer): string {
  const pattern = schema['pattern'];
  const [, words] = (typeof pattern === 'string' ? WORDS.exec(pattern) : null) ?? [];
  const text = property(name, schema, isRequired, printer);
  if (words === undefined) return text;
  const type = words
    .split('|')
    .map((word) => `'${word}'`)
    .join(' | ');
  return text.replace(/: string( \| undefined)?;\n$/, `: ${type} | readonly (${type})[]$1;\n`);
}

interface Input {
  type: string;
  isRequired: boolean;
  /** The declaration of the type, unless it has one. */
  text: string;
}

const schemaOfBody = ({ requestBody }: Operation): JsonSchema | undefined =>
  Object.values(requestBody?.content ?? {})[0]?.schema;

/** The schema of the lines of a body or a reply. */
function linesOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const content = schema?.['contentSchema'];
  return typeof content === 'object' && content !== null && 'items' in content && isSchema(content.items)
    ? content.items
    : undefined;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function inputOf(endpoint: Endpoint, operation: Operation, { request }: Sides): Input {
  const inputType = `${typeName(endpoint.id)}Input`;
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  const body = takesBody(endpoint) ? schemaOfBody(operation) : undefined;
  const lines = linesOf(body);
  const fields = [
    ...parameters.map(({ name, required = false, schema, description }) =>
      // The client encodes it.
      parameterType(
        name,
        { ...schema, description: description.replace(/, percent-encoded:[^.]*\./, '.') },
        required,
        request,
      ),
    ),
    // An export is valid, although a later server may have other values in it.
    ...(lines === undefined
      ? []
      : [`${comment(body?.description, '  ')}  lines: readonly (${typeOf(lines, request)} | ExportLine)[];\n`]),
  ].join('');
  const isRequired = body !== undefined || parameters.some(({ required }) => required === true);
  if (body === undefined || lines !== undefined)
    return fields === ''
      ? { type: 'Record<never, never>', isRequired: false, text: '' }
      : { type: inputType, isRequired, text: `export interface ${inputType} {\n${fields}}\n\n` };
  const bodyType = typeOf(body, request);
  if (fields === '') return { type: bodyType, isRequired, text: '' };
  return { type: inputType, isRequired, text: `export type ${inputType} = ${bodyType} & {\n${fields}};\n\n` };
}

const schemaOfReply = ({ responses }: Operation): JsonSchema | undefined => {
  const [success] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => response);
  return success === undefined || '$ref' in success ? undefined : Object.values(success.content ?? {})[0]?.schema;
};

interface Reply {
  type: string;
  /** The field of the objects of a page and their type. */
  page?: { field: string; item: string };
  isText: boolean;
}

function replyOf(endpoint: Endpoint, operation: Operation, { reply: printer }: Sides): Reply {
  const schema = schemaOfReply(operation);
  if (schema === undefined) return { type: 'undefined', isText: false };
  const lines = linesOf(schema);
  if (lines !== undefined) {
    const item = `Exclude<${typeOf(lines, printer)}, LineEnd | Other${typeOf(lines, printer)}>`;
    return { type: `LineEnd & { lines: ${item}[] }`, page: { field: 'lines', item }, isText: false };
  }
  const type = typeOf(schema, printer);
  const isPaged = (operation.parameters ?? []).some(
    (parameter) => 'name' in parameter && parameter.name === 'page_token',
  );
  const [list] = Object.entries(schema.properties ?? {}).filter(([, property]) => property.type === 'array');
  if (!isPaged || list?.[1].items === undefined)
    return { type, isText: endpoint.reply.schema !== undefined && endpoint.reply.format === 'openmetrics' };
  return { type, page: { field: list[0], item: typeOf(list[1].items, printer) }, isText: false };
}

function optionsOf({ etag, method, idempotent }: Endpoint): string {
  const more = [
    ...(etag === 'revision' && method !== 'GET' && method !== 'POST' ? ['IfMatch'] : []),
    ...(etag === 'revision' && method === 'PUT' ? ['IfNoneMatch'] : []),
    ...(idempotent === true ? ['IdempotencyKey'] : []),
  ];
  return more.length === 0 ? '' : `, CallOptions & ${more.join(' & ')}`;
}

/** The parts of the contract that `Spec` has. */
function specOf(endpoint: Endpoint, { page, isText }: Reply): string {
  const { since, bodyFormat, reply } = endpoint;
  const fields = {
    ...clientSpec(endpoint),
    ...(page === undefined ? {} : { items: page.field }),
    ...(isText ? { text: true } : {}),
  };
  // Functions that few operations need: bundlers drop them with the operations.
  const functions = {
    ...(since === undefined ? {} : { since: `/* @__PURE__ */ since(${JSON.stringify(since)})` }),
    ...(bodyFormat === 'ndjson' ? { lines: 'textOfLines' } : {}),
    ...(reply.schema !== undefined && reply.format === 'ndjson' ? { read: 'valueOfLines' } : {}),
  };
  const parts = [
    ...Object.entries(fields).map(([name, value]) => `${propertyName(name)}: ${JSON.stringify(value)}`),
    ...Object.entries(functions).map(([name, code]) => `${name}: ${code}`),
  ];
  return `{ ${parts.join(', ')} }`;
}

/** The text that the editor shows: the summary, the description, the role. */
function documentation({ summary, description }: Operation): string {
  return `${summary}.\n\n${description}`;
}

export interface PrintedOperation {
  endpoint: Endpoint;
  text: string;
}

function printOperation(endpoint: Endpoint, operation: Operation, sides: Sides): PrintedOperation {
  const { id } = endpoint;
  const input = inputOf(endpoint, operation, sides);
  const reply = replyOf(endpoint, operation, sides);
  const replyName = `${typeName(id)}Reply`;
  // A name instead of a long type in the messages of the compiler.
  const isNamed = /^\w+(\[\])?$/.test(reply.type);
  const replyType = isNamed ? reply.type : replyName;
  const replyText = isNamed
    ? ''
    : reply.type.startsWith('{')
      ? `export interface ${replyName} ${reply.type}\n\n`
      : `export type ${replyName} = ${reply.type};\n\n`;
  const spec = specOf(endpoint, reply);
  const isGet = endpoint.method === 'GET' && endpoint.etag !== undefined;
  const kind =
    reply.page !== undefined
      ? `${input.isRequired ? 'ListOf' : 'List'}<${input.type}, ${reply.page.item}, ${replyType}>`
      : isGet
        ? `Get<${input.type}, ${replyType}>`
        : `${input.isRequired ? 'Operation' : 'PlainOperation'}<${input.type}, ${replyType}${optionsOf(endpoint)}>`;
  const make =
    reply.page !== undefined
      ? `list<'${reply.page.field}', ${reply.page.item}, ${replyType}>`
      : `operation<${replyType}>`;
  const doc = comment(documentation(operation));
  return {
    endpoint,
    text: `${input.text}${replyText}${doc}export const ${id}: ${kind} = /* @__PURE__ */ ${make}(${spec});\n`,
  };
}

/** The types that a module uses from another one. */
function importOf(text: string, names: Iterable<string>, from: string): string {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const used = [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  return `import type { ${used.join(', ')} } from '${from}';\n`;
}

export function operationsModule(
  endpoints: readonly Endpoint[],
  { paths }: OpenApiDocument,
  sides: Sides,
  typeNames: Iterable<string>,
): string {
  const texts = endpoints.map((endpoint) => {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${endpoint.id} is not in the document`);
    return printOperation(endpoint, operation, sides).text;
  });
  const code = texts.join('\n');
  const shapes = ['Get', 'List', 'ListOf', 'Operation', 'PlainOperation'];
  const options = ['CallOptions', 'IdempotencyKey', 'IfMatch', 'IfNoneMatch'];
  return [
    `import { textOfLines, valueOfLines } from '../lines.ts';\n`,
    `import { list, operation } from '../operation.ts';\n`,
    `import { since } from '../since.ts';\n`,
    importOf(code, shapes, '../operation.ts'),
    importOf(code, options, '../options.ts'),
    importOf(code, typeNames, './types.ts'),
    `\n${code}`,
  ].join('');
}

/** `api-keys` becomes `apiKeys`. */
const camelCase = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The module of the facade: `inventory(client).nodes.get(...)`, from the folders of the endpoints. */
export function facadeModule(endpoints: readonly Endpoint[]): string {
  const groups = new Map<string, string[]>();
  for (const { id, folder, summary } of endpoints) {
    const [group = '', method = ''] = folder.split('/').map(camelCase);
    groups.set(group, [
      ...(groups.get(group) ?? []),
      `${comment(`${summary}.`, '      ')}      ${method}: bind(client, all.${id}),\n`,
    ]);
  }
  const body = [...groups].map(([group, methods]) => `    ${group}: {\n${methods.join('')}    },\n`).join('');
  return `import { bind } from '../bind.ts';
import type { Client } from '../operation.ts';
import * as all from './operations.ts';

/** All operations by their object, for people who explore by typing a dot. Bundlers cannot drop a part of it. */
export function inventory(client: Client) {
  return {
${body}  };
}
`;
}
