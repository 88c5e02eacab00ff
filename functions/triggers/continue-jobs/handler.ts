import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Dependencies, createDependencies } from '../../runtime/dependencies.ts';
import { FORCED_REMOVALS_PARTITION, forcedRemovalIn, nameOfKey, reconciliationIdOf } from '../../store/table/keys.ts';
import { continueReconciliation } from './reconciliation.ts';
import { continueRemoval } from './removal.ts';

const textSchema = z.object({ S: z.string() });

const recordSchema = z.object({ dynamodb: z.object({ Keys: z.object({ pk: textSchema, sk: textSchema }) }) });

async function continueJob(dependencies: Dependencies, { pk, sk }: { pk: string; sk: string }): Promise<void> {
  if (pk !== FORCED_REMOVALS_PARTITION) return continueReconciliation(dependencies, reconciliationIdOf(pk));
  const { kind, id } = forcedRemovalIn(sk);
  await continueRemoval(dependencies, kind, id);
}

/** Resumes the jobs that requests leave unfinished, from the table's stream. Lambda retries a batch that fails. */
export function continueWith(make: () => Dependencies) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
    const keys = Records.map((record) => {
      const { pk, sk } = z.parse(recordSchema, record).dynamodb.Keys;
      return { pk: pk.S, sk: sk.S };
    });
    const jobs = new Map(keys.map((key) => [nameOfKey(key), key]));
    for (const key of jobs.values()) await continueJob(make(), key);
  };
}

export const handler = continueWith(createDependencies);
