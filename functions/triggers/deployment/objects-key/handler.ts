import * as z from 'zod/mini';
import { createVersionedSecret } from '../../../../shared/aws/secret-versions.ts';
import { createDependencies } from '../../../runtime/dependencies.ts';
import { TableFormatError } from '../../../store/table/format.ts';
import { customResource } from '../custom-resource.ts';
import { ensureObjectsKey, ObjectsKeyNameConflict, removeObjectsKey } from './objects-key.ts';

const propertiesSchema = z.object({ SecretArn: z.string() });

/** The key in a secret by which the objects of CDK stacks are written. It ends with the resource. */
export const handler = customResource({
  provide: async (properties) => {
    const { SecretArn } = z.parse(propertiesSchema, properties);
    await ensureObjectsKey(createDependencies(), createVersionedSecret(SecretArn));
  },
  remove: () => removeObjectsKey(createDependencies()),
  isFinal: (error) => error instanceof ObjectsKeyNameConflict || error instanceof TableFormatError,
});
