import { createSecretReader } from '../../../shared/aws/secrets-manager.ts';
import { createFileReader } from '../../../shared/aws/s3.ts';
import { jsonLog } from '../../../shared/core/log.ts';
import { customResource } from './custom-resource.ts';

const readSecret = createSecretReader();

/** The objects of a stack of CloudFormation in the inventory. */
export const handler = customResource({
  readSecret: async (arn) => (await readSecret(arn)).text,
  readFile: createFileReader(),
  log: jsonLog((line) => process.stderr.write(line)),
});
