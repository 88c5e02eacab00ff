import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** Reads files of buckets, with the region, the credentials and the endpoint in the environment. */
export function createFileReader(): (bucket: string, key: string) => Promise<string> {
  const client = new S3Client({});
  return async (bucket, key) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (Body === undefined) throw new Error(`The file ${key} is empty.`);
    return Body.transformToString();
  };
}
