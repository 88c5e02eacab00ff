import { type ErrorKind, errorKinds } from '../http/errors.ts';
import { kindsOfResponse } from './error-responses.ts';
import { fieldTable, NOTHING, type TypeColumn, typeTable } from './field-tables.ts';
import { descriptionOf, fieldsOf, valueOf, variantsOf } from './fields.ts';
import { code, codes, markdownTable } from './markdown.ts';
import { type JsonSchema, nameOf } from './schemas.ts';
import type { Content, Medium, OpenApiDocument, Operation, Parameter, Response } from './specification.ts';

/** Additional text for the reference: Markdown, and columns by the name of a tag. */
export interface ReferenceOptions {
  /** Between the introduction and the operations. */
  conventions: string;
  typeColumns?: Readonly<Record<string, readonly TypeColumn[]>>;
  /** At the end of the section of a tag. */
  appendices?: Readonly<Record<string, string>>;
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** The only medium of a body or a reply, with its media type. */
function mediumOf(content: Content | undefined): (Medium & { mediaType: string }) | undefined {
  const [first] = Object.entries(content ?? {});
  return first === undefined ? undefined : { mediaType: first[0], ...first[1] };
}

/** The document as Markdown for readers: for each tag its operations, types and fields. */
export function apiReference(document: OpenApiDocument, options: ReferenceOptions): string {
  const { schemas: named } = document.components;

  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  );

  const bodyOf = ({ requestBody }: Operation) => mediumOf(requestBody?.content)?.schema;

  function success({ responses }: Operation): { status: string; response: Response } {
    for (const [status, response] of Object.entries(responses))
      if (status.startsWith('2') && !('$ref' in response)) return { status, response };
    throw new Error('an operation without success');
  }

  const replyOf = (operation: Operation) => mediumOf(success(operation).response.content)?.schema;

  const errorsOf = ({ responses }: Operation) =>
    Object.values(responses).flatMap((response) => ('$ref' in response ? kindsOfResponse(nameOf(response.$ref)) : []));
  const isShared = (kind: ErrorKind) =>
    calls.every(({ operation }) => operation['x-role'] === 'none' || errorsOf(operation).includes(kind));
  const shared = [...new Set(calls.flatMap(({ operation }) => errorsOf(operation)))].filter(isShared);
  const errorWords = (kinds: readonly ErrorKind[]) =>
    kinds.map((kind) => `${errorKinds[kind].http} ${code(errorKinds[kind].status)}`).join(', ');

  function operationTable(calls: readonly Call[]): string {
    return markdownTable(
      ['Operation', 'Request', 'Role', 'Success', 'Own errors'],
      calls.map(({ method, path, operation }) => [
        `[${operation.summary}](#${operation.summary.toLowerCase().replaceAll(' ', '-')})`,
        code(`${method} ${path}`),
        operation['x-role'],
        Object.keys(operation.responses)
          .filter((status) => status < '400')
          .join(', '),
        errorWords(errorsOf(operation).filter((kind) => !shared.includes(kind))) || NOTHING,
      ]),
    );
  }

  function parameterTable(parameters: readonly Parameter[]): string {
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

  function replyTable(schema: JsonSchema): string {
    return markdownTable(
      ['Field of the reply', 'Value', 'Description'],
      [...fieldsOf(schema, named)].map(([path, { schema: field, required }]) => [
        code(path),
        `${valueOf(field, named)}${required ? '' : '; may be absent'}`,
        descriptionOf(field, named),
      ]),
    );
  }

  /** The request and the reply, by the names of their schemas. */
  function traffic(operation: Operation): string {
    const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    const words = (schema: JsonSchema) => (schema.$ref === undefined ? '' : ` ${code(nameOf(schema.$ref))}`);
    const body = bodyOf(operation);
    const reply = replyOf(operation);
    const replyWords = reply?.items === undefined ? words : () => `, a list of${words(reply.items ?? {})}`;
    return `${body === undefined ? '' : `Body:${words(body)}. `}Reply: ${statuses.join(' or ')}${reply === undefined ? ', no body' : replyWords(reply)}.`;
  }

  /** @param isOfResource whether the table of fields of the section describes the reply. */
  function callSection({ method, path, operation }: Call, isOfResource: boolean): string {
    const { summary, description, parameters = [] } = operation;
    const resolved = parameters.map((parameter) =>
      '$ref' in parameter ? (document.components.parameters[nameOf(parameter.$ref)] ?? fail()) : parameter,
    );
    const reply = replyOf(operation)?.items ?? replyOf(operation);
    return [
      `### ${summary}`,
      code(`${method} ${path}`),
      description,
      traffic(operation),
      ...(resolved.length === 0 ? [] : [parameterTable(resolved)]),
      ...(isOfResource || reply === undefined || fieldsOf(reply, named).size === 0 ? [] : [replyTable(reply)]),
    ].join('\n\n');
  }

  function exampleOf({ method, path, operation }: Call): string {
    const { mediaType = '', examples = {} } = mediumOf(operation.requestBody?.content) ?? {};
    const sent = Object.values(examples)[0]?.value;
    const { status, response } = success(operation);
    const got = Object.values(mediumOf(response.content)?.examples ?? {})[0]?.value;
    const block = (head: string, value: unknown) => `\`\`\`http\n${head}\n\n${JSON.stringify(value, null, 2)}\n\`\`\``;
    const headers = Object.entries(response.headers ?? {}).map(([name]) => name);
    return [
      block(`${method} ${path} HTTP/1.1\nAuthorization: Bearer <key>\nContent-Type: ${mediaType}`, sent),
      `returns${headers.length === 0 ? '' : `, with the headers ${codes(headers)}`}:`,
      block(`HTTP/1.1 ${status}`, got),
    ].join('\n\n');
  }

  function tagSection({ name, description }: { name: string; description: string }): string {
    const own = calls.filter(({ operation }) => operation.tags[0] === name);
    const add = own.find(({ method, operation }) => method === 'POST' && bodyOf(operation) !== undefined);
    const addition = add === undefined ? undefined : bodyOf(add.operation);
    const object = add === undefined ? undefined : replyOf(add.operation);
    const change = own.find(({ method }) => method === 'PATCH');
    const isUnion = addition !== undefined && variantsOf(addition, named).size > 1;
    const isOfResource = ({ operation }: Call) =>
      object?.$ref !== undefined && replyOf(operation)?.$ref === object.$ref;
    const appendix = options.appendices?.[name];
    return [
      `## ${name}`,
      description,
      operationTable(own),
      ...(isUnion ? [`### Types of ${name}`, typeTable(addition, named, options.typeColumns?.[name] ?? [])] : []),
      ...(addition === undefined || object === undefined
        ? []
        : [
            `### Fields of ${name}`,
            fieldTable({ object, addition, change: change && bodyOf(change.operation) }, named),
          ]),
      ...(appendix === undefined ? [] : [appendix]),
      ...own.map((call) => callSection(call, isOfResource(call))),
      ...(add === undefined ? [] : [`### Example: ${add.operation.summary}`, exampleOf(add)]),
    ].join('\n\n');
  }

  return `${[
    `# ${document.info.title}: the API`,
    document.info.description,
    options.conventions,
    `Any operation can return ${errorWords(shared)}; operations without credentials return neither 401 nor 403. The tables below contain the additional errors.`,
    ...document.tags.map(tagSection),
  ].join('\n\n')}\n`;
}

function fail(): never {
  throw new Error('the document is incomplete');
}
