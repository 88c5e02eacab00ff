import type { JsonSchema } from './schemas.ts';
import type { Content, OpenApiDocument, Operation } from './specification.ts';

/** Applies a change to every operation of the document. */
export function mapOperations(document: OpenApiDocument, change: (operation: Operation) => Operation): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]): [string, Record<string, Operation>] => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, change(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Applies a change to the schemas of the body and of each reply. */
export function mapMedia(operation: Operation, change: (schema: JsonSchema) => JsonSchema): Operation {
  const changed = (content: Content): Content =>
    Object.fromEntries(
      Object.entries(content).map(([type, medium]) => [type, { ...medium, schema: change(medium.schema) }]),
    );
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: { ...requestBody, content: changed(requestBody.content) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        '$ref' in response || response.content === undefined
          ? response
          : { ...response, content: changed(response.content) },
      ]),
    ),
  };
}
