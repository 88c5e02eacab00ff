import { endpoints } from '../../functions/api/endpoints.ts';
import { MAX_BULK_BYTES } from '../../functions/domain/bulk/limits.ts';
import { MAX_IMPORT_OBJECTS } from '../../functions/domain/bulk/inventory-line.ts';
import { MAX_OPERATIONS } from '../../functions/domain/bulk/batch-operation.ts';
import { errorBody, type ErrorKind, errorKinds } from '../../shared/core/errors.ts';
import type { OpenApiDocument } from '../../shared/openapi/specification.ts';
import { facadeModule, operationsModule } from './operations.ts';
import { sidesOf, typesModule } from './types.ts';

const FOLDER = 'clients/typescript/src/generated';
const HEADER = '// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.\n\n';

const isErrorKind = (name: string): name is ErrorKind => Object.hasOwn(errorKinds, name);

/** The errors of the server, for the fake one. */
function errorsModule(): string {
  const rows = Object.keys(errorKinds)
    .filter(isErrorKind)
    .map((kind) => {
      const { code, status } = errorBody(kind, '', '');
      return `  ${kind}: { http: ${errorKinds[kind].http}, status: '${status}', code: ${code} },\n`;
    });
  return `/** HTTP status, status and code of every error. */\nexport const errors = {\n${rows.join('')}} as const;\n`;
}

/** The generated modules of the TypeScript client by their paths. */
export function typeScriptClient(document: OpenApiDocument): Map<string, string> {
  const sides = sidesOf(document);
  const types = typesModule(document, sides);
  const names = [...types.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => name);
  const limits = `/** The largest requests that the server takes. */
export const MAX_BULK_BYTES = ${MAX_BULK_BYTES};
export const MAX_IMPORT_OBJECTS = ${MAX_IMPORT_OBJECTS};
export const MAX_OPERATIONS = ${MAX_OPERATIONS};
`;
  const modules = {
    'types.ts': types,
    'operations.ts': operationsModule(endpoints, document, sides, names),
    'facade.ts': facadeModule(endpoints),
    'errors.ts': errorsModule(),
    'limits.ts': limits,
    'version.ts': `export const VERSION = '${document.info.version}';\n`,
  };
  return new Map(Object.entries(modules).map(([name, text]) => [`${FOLDER}/${name}`, HEADER + text]));
}
