import { App, CfnParameter, CliCredentialsStackSynthesizer, type IStackSynthesizer, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import * as z from 'zod/mini';
import { buildAssets } from './assets/assets.ts';
import { BUCKET_OF_PARAMETER, BUCKET_PARAMETER, PUBLISHED_ASSETS } from './assets/published-files.ts';
import { readAssets } from './assets/stored-assets.ts';
import { interfaceOf } from './settings/interface-of.ts';
import { InventoryStack } from './inventory-stack.ts';
import { InventoryTenants } from './tenants/inventory-tenants.ts';
import { InvalidSettings, readContext } from './settings/read-settings.ts';

/**
 * For `npm run publish-template`: all assets are in a bucket of the operator, by name, and the template requires no
 * bootstrapped account.
 */
const publishedIn = (bucket: unknown) =>
  typeof bucket !== 'string'
    ? {}
    : {
        synthesizer: interfaceOf<IStackSynthesizer>(
          new CliCredentialsStackSynthesizer({
            fileAssetsBucketName: bucket,
            // Without the version: a function whose code is the same keeps its place.
            bucketPrefix: PUBLISHED_ASSETS,
          }),
        ),
      };

export const app = new App();
try {
  const { templateBucket, templateParameters, builtAssets, ...context } = z.parse(
    z.record(z.string(), z.unknown()),
    app.node.getAllContext(),
  );
  const { stackName, tenants, terminationProtection, ...settings } = readContext(
    context,
    process.env['CDK_DEFAULT_REGION'],
  );
  // By default beside the assembly, so that commands with other outputs can run at the same time. The tests of deployments build them
  // once.
  const assets = typeof builtAssets === 'string' ? readAssets(builtAssets) : await buildAssets(`${app.outdir}.assets`);
  const props = { stackName, terminationProtection, ...publishedIn(templateBucket) };
  // The id of a stack is its name: commands select a stack by its path, and tell people its name.
  if (tenants === undefined) {
    const hasParameters = templateParameters === 'true';
    const stack = new InventoryStack(app, stackName, { ...props, inventory: { ...settings, assets }, hasParameters });
    if (templateBucket === BUCKET_OF_PARAMETER)
      new CfnParameter(stack, BUCKET_PARAMETER, {
        description: 'Bucket with the files of the release, in the region of the stack',
      });
  } else new InventoryTenants(app, 'Tenants', { ...props, tenants, settings, assets });
  // A finding of either pack makes the synthesis fail.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
} catch (error) {
  // An error in the settings is a message of a few lines. Any other error is a fault of this code, and keeps its stack.
  if (!(error instanceof InvalidSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
