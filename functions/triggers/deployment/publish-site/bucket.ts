import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

export interface SiteFile {
  key: string;
  body: Buffer;
  contentType: string;
  cacheControl: string;
}

/** The operations of a bucket that publishing needs. */
export interface SiteBucket {
  put: (file: SiteFile) => Promise<void>;
  keys: () => Promise<string[]>;
  remove: (keys: readonly string[]) => Promise<void>;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const MAX_DELETES = 1000;

export function openBucket(Bucket: string): SiteBucket {
  const client = new S3Client({});
  return {
    put: async ({ key, body, contentType, cacheControl }) => {
      await client.send(
        new PutObjectCommand({ Bucket, Key: key, Body: body, ContentType: contentType, CacheControl: cacheControl }),
      );
    },
    keys: async () => {
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken: token }));
        keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return keys;
    },
    remove: async (keys) => {
      for (let start = 0; start < keys.length; start += MAX_DELETES) {
        const Objects = keys.slice(start, start + MAX_DELETES).map((Key) => ({ Key }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        const [first] = Errors;
        if (first !== undefined) throw new Error(`${first.Key ?? ''} stays in the bucket: ${first.Code ?? ''}`);
      }
    },
  };
}
