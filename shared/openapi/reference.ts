import { type ErrorKind, errorKinds } from '../core/errors.ts';
import { kindsOfResponse } from './error-responses.ts';
import { fieldTable, NOTHING, type TypeColumn, typeTable } from './field-tables.ts';
import { descriptionOf, type Field, fieldsOf, valueOf, variantsOf } from './fields.ts';
import { code, codes, fragmentOf, markdownTable } from './markdown.ts';
import { type JsonSchema, type NamedSchemas, nameOf } from './schemas.ts';
import type { Content, Medium, OpenApiDocument, Operation, Parameter, Response, Tag } from './specification.ts';

/** Additional text for the reference: Markdown, and columns by the name of a tag. */
export interface ReferenceOptions {
  /** Between the introduction and the operations. */
  conventions: string;
  typeColumns?: Readonly<Record<string, readonly TypeColumn[]>>;
  /** At the end of the section of a tag. */
  appendices?: Readonly<Record<string, string>>;
}

/** An operation and its place in the document. */
interface RouteOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** The only medium of a body or a reply, with its media type. */
function mediumOf(content: Content | undefined): (Medium & { mediaType: string }) | undefined {
  const [first] = Object.entries(content ?? {});
  return first === undefined ? undefined : { mediaType: first[0], ...first[1] };
}

const callsOf = ({ paths }: OpenApiDocument): RouteOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const bodyOf = ({ requestBody }: Operation) => mediumOf(requestBody?.content)?.schema;

function successOf({ responses }: Operation): { status: string; response: Response } {
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2') && !('$ref' in response)) return { status, response };
  throw new Error('an operation without success');
}

const replyOf = (operation: Operation) => mediumOf(successOf(operation).response.content)?.schema;

const errorsOf = ({ responses }: Operation): ErrorKind[] =>
  Object.values(responses).flatMap((response) => ('$ref' in response ? kindsOfResponse(nameOf(response.$ref)) : []));

/** The errors of every operation that requires credentials. Stated once, not with each operation. */
function commonErrorsOf(calls: readonly RouteOperation[]): ErrorKind[] {
  const isCommon = (kind: ErrorKind) =>
    calls.every(({ operation }) => operation['x-role'] === 'none' || errorsOf(operation).includes(kind));
  return [...new Set(calls.flatMap(({ operation }) => errorsOf(operation)))].filter(isCommon);
}

const errorWords = (kinds: readonly ErrorKind[]) =>
  kinds.map((kind) => `${errorKinds[kind].http} ${code(errorKinds[kind].status)}`).join(', ');

function operationTable(calls: readonly RouteOperation[], commonErrors: readonly ErrorKind[]): string {
  return markdownTable(
    ['Operation', 'Request', 'Role', 'Success', 'Own errors'],
    calls.map(({ method, path, operation }) => [
      `[${operation.summary}](#${fragmentOf(operation.summary)})`,
      code(`${method} ${path}`),
      [operation['x-lower-role'] ?? [], operation['x-role']].flat().join(', '),
      Object.keys(operation.responses)
        .filter((status) => status < '400')
        .join(', '),
      errorWords(errorsOf(operation).filter((kind) => !commonErrors.includes(kind))) || NOTHING,
    ]),
  );
}

function parameterTable(parameters: readonly Parameter[], named: NamedSchemas): string {
  return markdownTable(
    ['Parameter', 'In', 'Value', 'Description'],
    parameters.map(({ name, in: place, schema, description }) => [
      code(name),
      place,
      `${valueOf(schema, named)}${schema.default === undefined ? '' : `; default ${code(JSON.stringify(schema.default))}`}`,
      description,
    ]),
  );
}

function replyTable(fields: ReadonlyMap<string, Field>, named: NamedSchemas): string {
  return markdownTable(
    ['Field of the reply', 'Value', 'Description'],
    [...fields].map(([path, { schema, required }]) => [
      code(path),
      `${valueOf(schema, named)}${required ? '' : '; may be absent'}`,
      descriptionOf(schema, named),
    ]),
  );
}

/** The request and the reply, by the names of their schemas. */
function bodyAndReply(operation: Operation): string {
  const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  const words = (schema: JsonSchema) => (schema.$ref === undefined ? '' : ` ${code(nameOf(schema.$ref))}`);
  const body = bodyOf(operation);
  const reply = replyOf(operation);
  const replyWords = reply?.items === undefined ? words : () => `, a list of${words(reply.items ?? {})}`;
  return `${body === undefined ? '' : `Body:${words(body)}. `}Reply: ${statuses.join(' or ')}${reply === undefined ? ', no body' : replyWords(reply)}.`;
}

function parametersOf({ parameters = [] }: Operation, { components }: OpenApiDocument): Parameter[] {
  return parameters.map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const target = components.parameters[nameOf(parameter.$ref)];
    if (target === undefined) throw new Error(`no such parameter: ${parameter.$ref}`);
    return target;
  });
}

/** @param isOfResource whether the table of fields of the section describes the reply. */
function callSection(
  { method, path, operation }: RouteOperation,
  document: OpenApiDocument,
  isOfResource: boolean,
): string {
  const { schemas: named } = document.components;
  const parameters = parametersOf(operation, document);
  const reply = replyOf(operation)?.items ?? replyOf(operation);
  const replyFields = isOfResource || reply === undefined ? new Map<string, Field>() : fieldsOf(reply, named);
  return [
    `### ${operation.summary}`,
    code(`${method} ${path}`),
    operation.description,
    bodyAndReply(operation),
    ...(parameters.length === 0 ? [] : [parameterTable(parameters, named)]),
    ...(replyFields.size === 0 ? [] : [replyTable(replyFields, named)]),
  ].join('\n\n');
}

function exampleOf({ method, path, operation }: RouteOperation): string {
  const { mediaType = '', examples = {} } = mediumOf(operation.requestBody?.content) ?? {};
  const sent = Object.values(examples)[0]?.value;
  const { status, response } = successOf(operation);
  const got = Object.values(mediumOf(response.content)?.examples ?? {})[0]?.value;
  const block = (head: string, value: unknown) => `\`\`\`http\n${head}\n\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const headers = Object.entries(response.headers ?? {}).map(([name]) => name);
  return [
    block(`${method} ${path} HTTP/1.1\nAuthorization: Bearer <key>\nContent-Type: ${mediaType}`, sent),
    `returns${headers.length === 0 ? '' : `, with the headers ${codes(headers)}`}:`,
    block(`HTTP/1.1 ${status}`, got),
  ].join('\n\n');
}

/** The types and fields of the resource that a call adds. */
function resourceTables(
  name: string,
  { add, change }: { add: Operation; change: Operation | undefined },
  named: NamedSchemas,
  columns: readonly TypeColumn[],
): string[] {
  const addition = bodyOf(add);
  const object = replyOf(add);
  if (addition === undefined) return [];
  const isUnion = variantsOf(addition, named).size > 1;
  return [
    ...(isUnion ? [`### Types of ${name}`, typeTable(addition, named, columns)] : []),
    ...(object === undefined
      ? []
      : [`### Fields of ${name}`, fieldTable({ object, addition, change: change && bodyOf(change) }, named)]),
  ];
}

interface TagContents {
  tag: Tag;
  calls: readonly RouteOperation[];
  commonErrors: readonly ErrorKind[];
}

function tagSection(
  { tag: { name, description }, calls, commonErrors }: TagContents,
  document: OpenApiDocument,
  { typeColumns, appendices }: ReferenceOptions,
): string {
  const add = calls.find(({ method, operation }) => method === 'POST' && bodyOf(operation) !== undefined);
  const change = calls.find(({ method }) => method === 'PATCH')?.operation;
  const object = add === undefined ? undefined : replyOf(add.operation);
  const isOfResource = ({ operation }: RouteOperation) =>
    object?.$ref !== undefined && replyOf(operation)?.$ref === object.$ref;
  const { schemas: named } = document.components;
  const appendix = appendices?.[name];
  return [
    `## ${name}`,
    description,
    operationTable(calls, commonErrors),
    ...(add === undefined
      ? []
      : resourceTables(name, { add: add.operation, change }, named, typeColumns?.[name] ?? [])),
    ...(appendix === undefined ? [] : [appendix]),
    ...calls.map((call) => callSection(call, document, isOfResource(call))),
    ...(add === undefined ? [] : [`### Example: ${add.operation.summary}`, exampleOf(add)]),
  ].join('\n\n');
}

/** The document as Markdown for readers: for each tag its operations, types and fields. */
export function apiReference(document: OpenApiDocument, options: ReferenceOptions): string {
  const calls = callsOf(document);
  const commonErrors = commonErrorsOf(calls);
  const callsOfTag = ({ name }: Tag) => calls.filter(({ operation }) => operation.tags[0] === name);
  return `${[
    `# ${document.info.title}: the API`,
    document.info.description,
    options.conventions,
    `Any operation can return ${errorWords(commonErrors)}; operations without credentials return neither 401 nor 403. The tables below contain the additional errors.`,
    ...document.tags.map((tag) => tagSection({ tag, calls: callsOfTag(tag), commonErrors }, document, options)),
  ].join('\n\n')}\n`;
}
