import { invalidRequest } from '../../../shared/core/errors.ts';

/**
 * The name of a declared object: the one in the path, which the body may repeat.
 *
 * @throws ApiError `invalidArgument` when the body contains another one.
 */
export function declaredName(field: string, inPath: string, inBody: string | undefined): string {
  if (inBody !== undefined && inBody !== inPath)
    throw invalidRequest([{ field, reason: 'mismatch', message: 'Must equal the name in the path.' }]);
  return inPath;
}
