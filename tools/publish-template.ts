import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { buildInfo } from '../infra/assets/build-info.ts';
import { publishedTemplate } from '../infra/assets/published-files.ts';
import { templateUrl } from '../infra/synthesis/template-url.ts';

const USAGE = `Usage: npm run publish-template -- BUCKET [-c name=value ...]
Writes the template and its assets to the bucket, with the credentials of the AWS command line. A stack can be created
from the template without this repository: in the CloudFormation console, or as a product of Service Catalog. The bucket
must be in the region of the stack. -c sets the settings of docs/settings.md.`;

const root = fileURLToPath(new URL('../', import.meta.url));
const assembly = join(root, 'dist/published');

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), properties: z.optional(z.looseObject({ templateFile: z.optional(z.string()) })) }),
  ),
});

/** The template that the CDK has written. */
function templateText(): string {
  const { artifacts } = z.parse(manifestSchema, JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')));
  const stack = Object.values(artifacts).find(({ type }) => type === 'aws:cloudformation:stack');
  const file = stack?.properties?.templateFile;
  if (file === undefined) throw new Error('The assembly names no template.');
  return readFileSync(join(assembly, file), 'utf8');
}

/** A client with the profile that the CDK has used. */
function clientFor(options: readonly string[]): S3Client {
  const at = options.indexOf('--profile');
  const profile = at === -1 ? undefined : options[at + 1];
  return new S3Client({ followRegionRedirects: true, ...(profile === undefined ? {} : { profile }) });
}

/** Writes the template below its version, and returns its URL. */
async function writeTemplate(bucket: string, client: S3Client): Promise<string> {
  const [{ BucketRegion: region }, { version }] = await Promise.all([
    client.send(new HeadBucketCommand({ Bucket: bucket })),
    buildInfo(),
  ]);
  const key = publishedTemplate(version);
  await client.send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: templateText(), ContentType: 'application/json' }),
  );
  return templateUrl({ bucket, key, region: region ?? (await client.config.region()) });
}

async function main(): Promise<void> {
  const [bucket = '', ...options] = process.argv.slice(2);
  if (!BUCKET.test(bucket)) throw new Error(USAGE);
  const publish = [
    'publish-assets',
    '--unstable=publish-assets',
    '--output',
    assembly,
    '-c',
    `templateBucket=${bucket}`,
  ];
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const { status } = spawnSync(process.execPath, [cdk, ...publish, ...options], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The template is not published.');
  process.stdout.write(`The template for the console of CloudFormation, or for a product of Service Catalog:
${await writeTemplate(bucket, clientFor(options))}
A role or user that creates the stack must be able to read the bucket, and needs CAPABILITY_IAM.
`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
