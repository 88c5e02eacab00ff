import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { everyOption } from '../settings/every-option.ts';
import { resourcesOf, synthesise, type Template } from '../synthesis/synthesise.ts';

/** The actions that CloudFormation calls to deploy each type of resource. `npm run refresh-handlers` writes it. */
export const HANDLER_PERMISSIONS = new URL('handler-permissions.json', import.meta.url);

const fileSchema = z.object({ source: z.string(), permissions: z.record(z.string(), z.array(z.string())) });

/** The templates that contain every type of resource. */
export function everyTemplate(): Template[] {
  const { accessLogBucket: _, ...options } = everyOption;
  return [synthesise(), synthesise(everyOption), synthesise({ ...options, cdn: false })];
}

/** The types of resources of AWS in every template. */
export function deployableTypes(templates = everyTemplate()): string[] {
  const types = templates.flatMap((template) => resourcesOf(template).map(({ type }) => type));
  return [...new Set(types)].filter((type) => type.startsWith('AWS::')).sort();
}

/**
 * The actions of the handlers of a type.
 *
 * @throws when the file does not have the type.
 */
export function readHandlerPermissions(): (type: string) => readonly string[] {
  const { permissions } = z.parse(fileSchema, JSON.parse(readFileSync(HANDLER_PERMISSIONS, 'utf8')));
  return (type) => {
    const handlerPermissions = permissions[type];
    if (handlerPermissions === undefined)
      throw new Error(`${type} is not in infra/permissions/handler-permissions.json. Run npm run refresh-handlers.`);
    return handlerPermissions;
  };
}
